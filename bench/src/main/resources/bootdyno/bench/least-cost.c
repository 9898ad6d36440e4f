// The least CPU time that closed load can take through epoll: one send and one recv a request, and nothing else is done with it.
// Arguments: port on 127.0.0.1, connections, seconds without measurement, seconds measured.
// Prints the responses of the measured seconds, their length, and the CPU seconds of this process in them.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

static void check(int sound, const char *what) {
    if (sound) return;
    perror(what);
    exit(1);
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int port = atoi(words[1]), connections = atoi(words[2]);
    double settle = atof(words[3]), window = atof(words[4]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    char request[100], response[65536];
    int length = snprintf(request, sizeof request, "GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n", port);
    int loop = epoll_create1(0);
    for (int i = 0; i < connections; i++) {
        int on = 1, connection = socket(AF_INET, SOCK_STREAM, 0);
        check(connect(connection, (struct sockaddr *)&address, sizeof address) == 0, "connect");
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct epoll_event readable = {.events = EPOLLIN | EPOLLET, .data.fd = connection};
        check(epoll_ctl(loop, EPOLL_CTL_ADD, connection, &readable) == 0, "epoll_ctl");
        check(send(connection, request, length, MSG_NOSIGNAL) == length, "send");
    }
    double start = seconds(CLOCK_MONOTONIC) + settle, now = 0, cpu = 0;
    long answered = 0;
    int measuring = 0;
    while ((now = seconds(CLOCK_MONOTONIC)) < start + window) {
        if (!measuring && now >= start) {
            measuring = 1, answered = 0, start = now, cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        }
        struct epoll_event ready[512];
        int events = epoll_wait(loop, ready, 512, 100);
        for (int i = 0; i < events; i++) {
            int connection = ready[i].data.fd;
            check(recv(connection, response, sizeof response, 0) > 0, "recv");
            answered++;
            check(send(connection, request, length, MSG_NOSIGNAL) == length, "send");
        }
    }
    printf("%ld %.6f %.6f\n", answered, now - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
