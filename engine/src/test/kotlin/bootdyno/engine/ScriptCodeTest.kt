package bootdyno.engine

import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.nio.file.Path
import kotlin.io.path.createParentDirectories
import kotlin.io.path.writeText

class ScriptCodeTest(@param:TempDir private val folder: Path) {
    private fun write(name: String, code: String): Path =
        folder.resolve(name).createParentDirectories().also { it.writeText(code) }

    @Test
    fun `the code of a simulation has that of the classes that it names, of its package and of others`() {
        val script = write(
            "java/shop/Buying.java",
            "package shop;\nimport static shop.target.Target.*;\nimport shop.users.*;\nclass Buying { Users users; Basket basket; }",
        )
        write("java/shop/Basket.java", "package shop; // basket")
        write("java/shop/target/Target.java", "package shop.target; class Target { Hosts hosts; } // target")
        write("java/shop/target/Hosts.java", "package shop.target; // hosts")
        write("java/shop/users/Users.java", "package shop.users; // users")
        write("java/shop/Selling.java", "package shop; // selling")
        write("java/shop/users/Basket.java.txt", "// text")
        codeOf(script).lines().mapNotNull { it.substringAfter("// ", "").ifEmpty { null } } shouldContainExactlyInAnyOrder
            listOf("basket", "target", "hosts", "users")
    }

    @Test
    fun `a class without a package names those beside it only`() {
        val script = write("A.java", "class A { B b; C c; }")
        write("B.java", "// b")
        write("c/C.java", "// c")
        codeOf(script).lines() shouldContainExactlyInAnyOrder listOf("class A { B b; C c; }", "// b")
    }
}
