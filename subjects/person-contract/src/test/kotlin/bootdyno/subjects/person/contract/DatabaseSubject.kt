package bootdyno.subjects.person.contract

import org.yaml.snakeyaml.Yaml
import java.nio.file.Path
import kotlin.io.path.readText

/** A subject that keeps people in PostgreSQL; [folder] is its module. */
enum class DatabaseSubject(folder: String) {
    SERVLET_JDBC("servlet-jdbc"),
    SERVLET_JDBC_CLIENT("servlet-jdbc-client"),
    REACTIVE_R2DBC("reactive-r2dbc"),
    ;

    val jar: Path = Path.of("..", folder, "target", "$folder.jar")
    private val descriptor = Path.of("..", folder, "subject.yaml")

    /** The statements of each operation, as its descriptor says. */
    fun statements(): Map<String, List<String>> {
        val root = Yaml().load<Map<String, *>>(descriptor.readText())
        val operations = root["statements"] as Map<*, *>
        return operations.entries.associate { (operation, verbs) -> "$operation" to (verbs as List<*>).map { "$it" } }
    }
}
