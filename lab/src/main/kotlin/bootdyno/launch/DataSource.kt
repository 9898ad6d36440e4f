package bootdyno.launch

/** A relational database as Spring Boot reads its address from the environment, by JDBC and by R2DBC. Unlike a command line, that is private. */
fun dataSource(jdbc: String, r2dbc: String, user: String, password: String?): Map<String, String> =
    listOf("SPRING_DATASOURCE" to "jdbc:$jdbc", "SPRING_R2DBC" to "r2dbc:$r2dbc").flatMap { (name, url) ->
        listOfNotNull("${name}_URL" to url, "${name}_USERNAME" to user, password?.let { "${name}_PASSWORD" to it })
    }.toMap()

const val POSTGRES_PORT = 5432
