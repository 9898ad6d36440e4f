package bootdyno.database

import bootdyno.launch.docker.StartedEngine

internal const val POSTGRES_IMAGE = "postgres:18"

/**
 * An image of our PostgreSQL that is used as Docker's official one is: its variables, its folder of scripts, its command. A cluster is in it, because
 * making one takes most of a start.
 */
internal fun StartedEngine.importPostgres() {
    if (POSTGRES_IMAGE in images()) return
    val programs = PostgresFiles.unpacked(PROGRAMS).program("postgres").parent.parent
    val made = listOf(
        "ENTRYPOINT [\"/entry\"]",
        "CMD [\"postgres\"]",
        "USER 999:999",
        "ENV PATH=/bin:/opt/postgres/bin",
        "ENV PGDATA=/data/cluster",
        "EXPOSE 5432",
        "VOLUME /data",
    )
    importImage(POSTGRES_IMAGE, made) {
        shell("cp -R $programs $path/opt/postgres && mkdir -m 1777 $path/data")
        withLibraries("$path/opt/postgres/bin/* $path/opt/postgres/lib/*.so*")
        program("cp")
        shell(MAKE_CLUSTER.replace("PROGRAMS", "$programs").replace("ROOT", "$path"))
        script("etc/passwd", "postgres:x:999:999::/tmp:/bin/sh\n")
        script("entry", ENTRY)
    }
}

private val MAKE_CLUSTER = """
    made=$(mktemp -d)
    echo unused >${'$'}made/password
    chown -R nobody ${'$'}made
    setpriv --reuid=nobody --clear-groups PROGRAMS/bin/initdb --no-sync --username=postgres --pwfile=${'$'}made/password \
        --auth=scram-sha-256 --encoding=UTF8 --locale=C -D ${'$'}made/cluster
    echo "host all all all scram-sha-256" >>${'$'}made/cluster/pg_hba.conf
    echo "listen_addresses = '*'" >>${'$'}made/cluster/postgresql.conf
    chown -R 999:999 ${'$'}made/cluster
    mv ${'$'}made/cluster ROOT/opt/cluster
    rm -r ${'$'}made
""".trimIndent()

private val ENTRY = """
    #!/bin/sh
    # Changes the cluster by the variables of Docker's official image, then becomes what it is told.
    set -e
    user=${'$'}{POSTGRES_USER:-postgres}
    name=${'$'}{POSTGRES_DB:-${'$'}user}
    if [ -z "${'$'}POSTGRES_PASSWORD" ]; then
        echo "Error: Database is uninitialized and superuser password is not specified."
        exit 1
    fi
    if [ ! -s "${'$'}PGDATA/PG_VERSION" ]; then
        cp -R /opt/cluster "${'$'}PGDATA"
        case ${'$'}user in postgres) role="ALTER ROLE postgres" ;; *) role="CREATE ROLE \"${'$'}user\" SUPERUSER LOGIN" ;; esac
        echo "${'$'}role PASSWORD '${'$'}POSTGRES_PASSWORD';" | postgres --single -j postgres
        [ "${'$'}name" = postgres ] || echo "CREATE DATABASE \"${'$'}name\";" | postgres --single -j postgres
        for script in /docker-entrypoint-initdb.d/*.sql; do
            [ ! -f "${'$'}script" ] || postgres --single -j "${'$'}name" <"${'$'}script"
        done
    fi
    exec "$@"
""".trimIndent() + "\n"
