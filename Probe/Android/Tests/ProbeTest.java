import android.app.Activity;
import android.content.ContextWrapper;
import android.content.res.Resources;
import android.graphics.Canvas;
import android.text.method.PasswordTransformationMethod;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.view.Window;
import android.view.inspector.WindowInspector;
import android.widget.*;
import androidx.fragment.app.Fragment;
import androidx.recyclerview.widget.RecyclerView;
import com.android.internal.policy.DecorView;
import dev.encircle.probe.EncircleProbe;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;

/** Builds a screen of stand-ins and writes it with the probe; the argument is the directory for its files. */
public class ProbeTest {
  static class ShopActivity extends Activity {
    Fragment fragment;
    class Manager { public List<Fragment> getFragments() { return Arrays.asList(fragment, null); } }
    class Bar { public CharSequence getTitle() { return "今日花束"; } }
    public Object getSupportFragmentManager() { return new Manager(); }
    public Object getSupportActionBar() { return new Bar(); }
  }

  static class BouquetList extends Fragment {}

  static class FilterItem extends TextView {
    FilterItem(Activity context) { super(context); }
    public MenuItem getItemData() {
      return new MenuItem() {
        public int getItemId() { return 0x7f080004; }
        public CharSequence getTitle() { return "筛选"; }
      };
    }
  }

  static class NoteComposer extends FrameLayout {
    NoteComposer(Activity context) { super(context); }
  }

  static class VerificationCodeView extends LinearLayout {
    VerificationCodeView(Activity context) { super(context); }
  }

  static class HotProductView extends TextView {
    HotProductView(Activity context) { super(context); }
  }

  static <T extends View> T at(T view, int left, int top, int width, int height) {
    view.left = left;
    view.top = top;
    view.width = width;
    view.height = height;
    return view;
  }

  static <T extends TextView> T text(T view, String text) {
    view.text = text;
    return view;
  }

  static String withoutTime(String xml) { return xml.replaceAll(" capturedAt=\"[^\"]*\"", ""); }

  static String picture(Activity activity, String directory) throws Exception {
    System.setProperty("probe.files", directory);
    Canvas.drawn.setLength(0);
    EncircleProbe.save(activity);
    return Canvas.drawn.toString();
  }

  public static void main(String[] arguments) throws Exception {
    System.setProperty("probe.files", arguments[0]);
    Resources names = Resources.INSTANCE;
    ShopActivity activity = new ShopActivity();
    DecorView decor = at(new DecorView(activity), 0, 0, 1080, 2400);
    activity.window = new Window(decor);

    Button add = at(text(new Button(activity), "加入 <\"花篮\"> & 😀\u0001\ud83d"), 700, 0, 340, 120);
    add.id = names.add(0x7f080001, "com.example.kiosk:id/add");
    add.clickable = true;
    RecyclerView list = at(new RecyclerView(activity), 0, 0, 1080, 1200);
    list.id = names.add(0x7f080002, "com.example.kiosk:id/bouquets");
    ViewGroup card = at(new LinearLayout(activity), 0, 480, 1080, 480);
    card.clickable = true;
    list.with(at(new LinearLayout(activity), 0, 0, 1080, 480).with(), card.with(add));
    BouquetList fragment = new BouquetList();
    fragment.view = at(new FrameLayout(activity), 0, 0, 1080, 1200).with(list);
    fragment.id = names.add(0x7f080003, "com.example.kiosk:id/host");
    activity.fragment = fragment;
    names.add(0x7f080004, "com.example.kiosk:id/action_filter");

    EditText wish = at(text(new EditText(activity), "给小林的秘密"), 300, 1300, 400, 100);
    wish.hint = "祝福语";
    wish.inputType = 0x81;
    wish.translationY = -250.5f;
    Switch gift = at(text(new Switch(activity), "送礼"), 0, 1300, 300, 100);
    gift.checked = true;
    gift.id = 17;
    RatingBar stars = at(new RatingBar(activity), 0, 1400, 300, 100);
    stars.visibility = View.INVISIBLE;
    ListView plain = at(new ListView(activity), 0, 1500, 1080, 100);
    plain.first = 6;
    plain.with(at(text(new TextView(activity), "行"), 0, 0, 1080, 100));
    ExpandableListView tree = at(new ExpandableListView(activity), 0, 1600, 1080, 600);
    for (String row : new String[] {"头", "生日", "给妈妈", "给爸爸", "婚礼", "脚"}) {
      tree.with(at(text(new TextView(activity), row), 0, 0, 1080, 100));
    }
    TextView balance = at(text(new TextView(activity), "8,888.00"), 0, 2300, 500, 60);
    balance.transformation = new PasswordTransformationMethod();
    ViewGroup code = at(new VerificationCodeView(activity), 500, 2300, 100, 60);
    code.with(at(text(new TextView(activity), "4"), 0, 0, 50, 60));
    TextView product = at(text(new HotProductView(activity), "热卖"), 600, 2300, 100, 60);
    ViewGroup content = at(new FrameLayout(activity), 0, 0, 1080, 2400);
    content.id = names.add(0x01020002, "android:id/content");
    ViewGroup host = at(new FrameLayout(activity), 0, 0, 1080, 1200);
    host.id = 0x7f080003;
    ViewGroup body = content.with(host.with(fragment.view), new FilterItem(activity), gift, wish, stars, plain);
    decor.with(body.with(tree, balance, code, product));

    DecorView dialog = at(new DecorView(new ContextWrapper(activity)), 90, 800, 900, 600);
    TextView title = at(text(new TextView(activity), "清空花篮"), 0, 0, 900, 100);
    title.id = names.add(0x01020016, "android:id/alertTitle");
    TextView note = at(text(new TextView(activity), "给小林的秘密"), 0, 0, 900, 100);
    note.id = names.add(0x0102000b, "android:id/message");
    ViewGroup composer = at(new NoteComposer(activity), 0, 200, 900, 100);
    Button clear = at(text(new Button(activity), "清空"), 0, 500, 900, 100);
    clear.id = names.add(0x01020019, "android:id/button1");
    clear.clickable = true;
    dialog.with(title, composer.with(note), clear);
    PopupWindow.PopupDecorView popup = at(new PopupWindow.PopupDecorView(activity), 0, 0, 300, 300);
    View strange = at(new DecorView(new Activity()), 0, 0, 10, 10);
    WindowInspector.views.addAll(Arrays.asList(decor, dialog, popup, strange));

    File file = EncircleProbe.save(activity);
    System.out.println(file);

    // In split screen, only the place of the app's windows on the screen differs.
    String full = withoutTime(EncircleProbe.xml(activity, null));
    String covers = picture(activity, arguments[0] + "/full");
    for (View window : WindowInspector.views) window.top += 1200;
    String split = withoutTime(EncircleProbe.xml(activity, null));
    if (!split.equals(full)) throw new AssertionError(split);
    String splitCovers = picture(activity, arguments[0] + "/split");
    if (!splitCovers.equals(covers)) throw new AssertionError(splitCovers);

    // Texts are cut to what readers of captures take, and not within a character.
    String emoji = new String(new char[500_000]).replace("\0", "😀");
    for (String start : new String[] {"", "x"}) {
      add.text = start + emoji;
      String rest = emoji.substring(0, 2 * (start.isEmpty() ? 4096 : 4095));
      String xml = EncircleProbe.xml(activity, null);
      if (!xml.contains(" text=\"" + start + rest + "\"")) throw new AssertionError("a text has another length");
    }

    // Of a field, only its hint is written, and nothing of the views in it.
    wish.description = "4821";
    TextView digit = text(new TextView(activity), "4821");
    digit.hint = "4821";
    digit.description = "4821";
    code.with(digit, new RatingBar(activity));
    code.description = "4821";
    String fields = EncircleProbe.xml(activity, null);
    if (fields.contains("4821") || fields.split(" value=").length != 2) throw new AssertionError(fields);

    // Views that refuse to be drawn are captured without a picture.
    dialog.hasHardwareBitmap = true;
    requireNoPicture(activity, arguments[0] + "/undrawn");
    dialog.hasHardwareBitmap = false;

    // So are views that are nested too deeply to find the fields among them.
    ViewGroup inner = dialog;
    for (int i = 0; i < 1000; i++) {
      ViewGroup next = new FrameLayout(activity);
      inner.with(next);
      inner = next;
    }
    inner.with(text(new EditText(activity), "4821"));
    requireNoPicture(activity, arguments[0] + "/deep");
  }

  static void requireNoPicture(Activity activity, String directory) throws Exception {
    System.setProperty("probe.files", directory);
    File file = EncircleProbe.save(activity);
    String xml = new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    if (xml.contains("screenshot=") || !xml.contains("清空花篮")) throw new AssertionError(xml);
    if (file.getParentFile().list().length != 1) throw new AssertionError("there is a picture");
  }
}
