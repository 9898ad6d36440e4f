import java.lang.management.ManagementFactory;
import javax.management.ObjectName;

/** Has the MBean of `spring.application.admin.enabled`, which knows one property. Ends when its input does. */
public class Admin {
    public interface SettingsMBean {
        String getProperty(String key);
    }

    public static class Settings implements SettingsMBean {
        @Override
        public String getProperty(String key) {
            return key.equals("springdoc.api-docs.path") ? "/docs" : null;
        }
    }

    public static void main(String[] arguments) throws Exception {
        var name = new ObjectName("org.springframework.boot:type=Admin,name=SpringApplication");
        ManagementFactory.getPlatformMBeanServer().registerMBean(new Settings(), name);
        System.out.println("ready");
        System.in.read();
        System.exit(0);
    }
}
