# The archive of `./build dist` on a small Linux. Build it: docker build -t boot-dyno .
# Any image with glibc, sh, tar and coreutils serves: docker build --build-arg BASE=ubuntu:24.04 -t boot-dyno .
ARG BASE=debian:stable-slim
FROM ${BASE}
ADD dist/target/boot-dyno-*-linux-*.tar.gz /opt/
# Any user may write to both: the container may be given one, and Kubernetes chooses its own.
RUN ln -s /opt/boot-dyno-* /opt/boot-dyno && mkdir -p /work /home/dyno && chmod 1777 /work /home/dyno
ENV PATH=/opt/boot-dyno/bin:/usr/local/bin:/usr/bin:/bin HOME=/home/dyno LANG=C.UTF-8
USER 10001:10001
WORKDIR /work
ENTRYPOINT ["dyno"]
