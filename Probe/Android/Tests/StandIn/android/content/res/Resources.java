package android.content.res;

import java.util.HashMap;
import java.util.Map;
public class Resources {
  public static final Resources INSTANCE = new Resources();
  private final Map<Integer, String> names = new HashMap<>();
  public int add(int id, String name) { names.put(id, name); return id; }
  public String getResourceName(int id) {
    if (!names.containsKey(id)) throw new RuntimeException("no resource " + id);
    return names.get(id);
  }
}
