package bootdyno.subjects.person.contract

import org.yaml.snakeyaml.Yaml

/** A person as JSON says it. */
data class SeenPerson(val id: Long, val name: String, val description: String)

/** JSON for a person; a null [id] is left out. */
fun personJson(name: String, description: String, id: Long? = null): String {
    val start = id?.let { """{"id":$it,""" } ?: "{"
    return """$start"name":"$name","description":"$description"}"""
}

fun Answer.person(): SeenPerson = seenPerson(Yaml().load<Map<String, *>>(body))

fun Answer.people(): List<SeenPerson> = Yaml().load<List<Map<String, *>>>(body).map(::seenPerson)

private fun seenPerson(fields: Map<String, *>): SeenPerson {
    check(fields.keys == setOf("id", "name", "description")) { "a person has other fields: $fields" }
    return SeenPerson((fields["id"] as Number).toLong(), "${fields["name"]}", "${fields["description"]}")
}

fun SubjectProcess.create(name: String = "Ada Lovelace", description: String = "wrote the first program"): SeenPerson {
    val answer = ask("POST", "/person", personJson(name, description))
    check(answer.status == 201) { "creating $name answered $answer" }
    return answer.person()
}
