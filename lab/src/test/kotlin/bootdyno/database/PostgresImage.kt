package bootdyno.database

import bootdyno.launch.docker.StartedEngine

/** An image of our PostgreSQL that is used as Docker's official one is: its variables, its folder of scripts, its command. */
internal fun StartedEngine.importPostgres(name: String) {
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
    importImage(name, made) {
        shell("cp -R $programs $path/opt/postgres && mkdir -m 1777 $path/data")
        withLibraries("$path/opt/postgres/bin/* $path/opt/postgres/lib/*.so*")
        script("etc/passwd", "postgres:x:999:999::/tmp:/bin/sh\n")
        script("entry", ENTRY)
    }
}

private val ENTRY = """
    #!/bin/sh
    # Makes a cluster by the variables of Docker's official image, then becomes what it is told.
    set -e
    user=${'$'}{POSTGRES_USER:-postgres}
    name=${'$'}{POSTGRES_DB:-${'$'}user}
    if [ -z "${'$'}POSTGRES_PASSWORD" ]; then
        echo "Error: Database is uninitialized and superuser password is not specified."
        exit 1
    fi
    if [ ! -s "${'$'}PGDATA/PG_VERSION" ]; then
        echo "${'$'}POSTGRES_PASSWORD" >/tmp/password
        eval "initdb --no-sync --username=${'$'}user --pwfile=/tmp/password --auth=scram-sha-256 ${'$'}POSTGRES_INITDB_ARGS"
        echo "host all all all scram-sha-256" >>"${'$'}PGDATA/pg_hba.conf"
        echo "listen_addresses = '*'" >>"${'$'}PGDATA/postgresql.conf"
        [ "${'$'}name" = postgres ] || echo "CREATE DATABASE \"${'$'}name\";" | postgres --single -j postgres
        for script in /docker-entrypoint-initdb.d/*.sql; do
            [ ! -f "${'$'}script" ] || postgres --single -j "${'$'}name" <"${'$'}script"
        done
    fi
    exec "$@"
""".trimIndent() + "\n"
