package dev.encircle.probe;

import android.app.Activity;
import android.content.Context;
import android.content.ContextWrapper;
import android.content.pm.PackageInfo;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Paint;
import android.text.method.PasswordTransformationMethod;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.widget.AdapterView;
import android.widget.CompoundButton;
import android.widget.EditText;
import android.widget.ExpandableListView;
import android.widget.ProgressBar;
import android.widget.RatingBar;
import android.widget.TextView;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes the screen of an Android app as view-tree XML, with a picture beside it. For debug builds: copy this file into the app and
 * call {@code EncircleProbe.save(activity)} on the main thread. It has no dependencies: it calls AndroidX by reflection, so it
 * also compiles without.
 *
 * <p>The text of fields that people type in is never written, and is covered in the picture. Views that draw their own texts, such as
 * those of Compose, are not covered: if people type there, call {@link #xml} with null, which makes no picture.
 */
public final class EncircleProbe {
  private static final int MAXIMUM_DEPTH = 900;
  private static final int MAXIMUM_TEXT = 16_384;

  private final Activity activity;
  private final StringBuilder xml = new StringBuilder();
  private final Map<View, Object> fragments = new IdentityHashMap<>();

  private EncircleProbe(Activity activity) {
    this.activity = activity;
  }

  /**
   * Writes {@code capture-TIME.xml} and {@code .png} into the directory {@code encircle} of the app's files on shared storage. If a
   * view cannot be drawn, or views are nested too deeply to cover the fields among them, there is no picture.
   *
   * @return the XML file
   */
  public static File save(Activity activity) throws IOException {
    File directory = activity.getExternalFilesDir("encircle");
    if (directory == null) throw new IOException("there is no shared storage");
    if (!directory.isDirectory() && !directory.mkdirs()) throw new IOException("cannot make " + directory);
    SimpleDateFormat format = new SimpleDateFormat("yyyyMMdd-HHmmss-SSS", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    String name = "capture-" + format.format(new Date());
    File picture = new File(directory, name + ".png");
    boolean hasPicture = savePicture(activity, picture);
    File file = new File(directory, name + ".xml");
    try (FileOutputStream stream = new FileOutputStream(file)) {
      stream.write(xml(activity, hasPicture ? picture.getName() : null).getBytes("UTF-8"));
    }
    return file;
  }

  /**
   * Returns the screen as view-tree XML.
   *
   * @param screenshot the name of a picture, or null
   */
  public static String xml(Activity activity, String screenshot) {
    return new EncircleProbe(activity).write(screenshot);
  }

  // The document

  private String write(String screenshot) {
    addFragments(call(activity, "getSupportFragmentManager"));
    addFragments(call(activity, "getFragmentManager"));
    View decor = activity.getWindow().getDecorView();
    xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<viewTree version=\"1\"");
    attribute("app", activity.getPackageName());
    attribute("appVersion", version());
    attribute("os", "Android");
    attribute("osVersion", android.os.Build.VERSION.RELEASE);
    attribute("screen", decor.getWidth() + " " + decor.getHeight());
    SimpleDateFormat format = new SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT);
    format.setTimeZone(TimeZone.getTimeZone("UTC"));
    attribute("capturedAt", format.format(new Date()));
    attribute("screenshot", screenshot);
    xml.append(">\n");
    for (View root : roots(decor)) {
      if (root == decor || activity == activityOf(root.getContext())) write(root, null, 1, false, decor);
    }
    return xml.append("</viewTree>\n").toString();
  }

  private String version() {
    try {
      PackageInfo info = activity.getPackageManager().getPackageInfo(activity.getPackageName(), 0);
      return info.versionName;
    } catch (Exception unknown) {
      return null;
    }
  }

  /** The roots of all windows of the app, from the back to the front. */
  private static List<View> roots(View decor) {
    List<View> roots = new ArrayList<>();
    Object views = callStatic("android.view.inspector.WindowInspector", "getGlobalWindowViews");
    if (views == null) views = field(callStatic("android.view.WindowManagerGlobal", "getInstance"), "mViews");
    if (views instanceof List) {
      for (Object view : (List<?>) views) if (view instanceof View) roots.add((View) view);
    }
    if (!roots.contains(decor)) roots.add(0, decor);
    return roots;
  }

  private static Activity activityOf(Context context) {
    for (int i = 0; i < 32 && context != null; i++) {
      if (context instanceof Activity) return (Activity) context;
      context = context instanceof ContextWrapper ? ((ContextWrapper) context).getBaseContext() : null;
    }
    return null;
  }

  private void addFragments(Object manager) {
    Object list = call(manager, "getFragments");
    if (!(list instanceof List)) return;
    for (Object fragment : (List<?>) list) {
      if (fragment == null) continue;
      Object view = call(fragment, "getView");
      if (view instanceof View && !fragments.containsKey(view)) fragments.put((View) view, fragment);
      addFragments(call(fragment, "getChildFragmentManager"));
    }
  }

  // One view

  private void write(View view, ViewGroup parent, int depth, boolean isPrivate, View decor) {
    indent(depth);
    xml.append("<view");
    attribute("class", view.getClass().getName());
    attribute("superclasses", superclasses(view.getClass()));
    attribute("frame", frame(view, parent, decor));
    if (parent == null) writeWindow(view, decor);
    Object fragment = fragments.get(view);
    if (fragment != null) writeFragment(fragment);
    attribute("identifier", resourceName(view.getId()));
    if (view.getVisibility() != View.VISIBLE) {
      attribute("hidden", view.getVisibility() == View.GONE ? "gone" : "invisible");
    }
    if (view.getAlpha() != 1) attribute("alpha", String.valueOf(view.getAlpha()));
    if (!view.isEnabled()) attribute("enabled", "false");
    if (view.isClickable()) attribute("clickable", "true");
    if (view.isLongClickable()) attribute("longClickable", "true");
    writePlace(view, parent);
    boolean typed = isPrivate || isField(view);
    attribute("label", typed ? null : text(view.getContentDescription()));
    writeTexts(view, isPrivate, typed);
    writeItem(view, typed);
    if (!(view instanceof ViewGroup) || depth > MAXIMUM_DEPTH || ((ViewGroup) view).getChildCount() == 0) {
      xml.append("/>\n");
      return;
    }
    xml.append(">\n");
    ViewGroup group = (ViewGroup) view;
    for (int i = 0; i < group.getChildCount(); i++) write(group.getChildAt(i), group, depth + 1, typed, decor);
    indent(depth);
    xml.append("</view>\n");
  }

  private void writeWindow(View root, View decor) {
    if (root == decor) {
      attribute("controller", activity.getClass().getName());
      attribute("controllerSuperclasses", superclasses(activity.getClass()));
      attribute("controllerTitle", text(activity.getTitle()));
      Object bar = call(activity, "getSupportActionBar");
      if (bar == null) bar = call(activity, "getActionBar");
      attribute("actionBarTitle", text(call(bar, "getTitle")));
      return;
    }
    String name = root.getClass().getSimpleName();
    attribute("window", name.equals("PopupDecorView") ? "popup" : name.equals("DecorView") ? "dialog" : "custom");
    attribute("title", textIn(root, "alertTitle"));
    attribute("message", textIn(root, "message"));
  }

  private void writeFragment(Object fragment) {
    attribute("controller", fragment.getClass().getName());
    attribute("controllerSuperclasses", superclasses(fragment.getClass()));
    Object id = call(fragment, "getId");
    if (id instanceof Integer && (Integer) id != 0) attribute("controllerIdentifier", resourceName((Integer) id));
    if (Boolean.TRUE.equals(call(fragment, "isHidden"))) attribute("controllerHidden", "true");
    if (Boolean.FALSE.equals(call(fragment, "isResumed"))) attribute("controllerResumed", "false");
  }

  /** Writes the place of a row in its list. */
  private void writePlace(View view, ViewGroup parent) {
    if (parent == null) return;
    if (parent instanceof ExpandableListView) {
      ExpandableListView list = (ExpandableListView) parent;
      int position = list.getFirstVisiblePosition() + list.indexOfChild(view);
      long packed = list.getExpandableListPosition(position);
      switch (ExpandableListView.getPackedPositionType(packed)) {
        case ExpandableListView.PACKED_POSITION_TYPE_CHILD:
          attribute("indexPath", ExpandableListView.getPackedPositionGroup(packed) + " "
              + ExpandableListView.getPackedPositionChild(packed));
          break;
        case ExpandableListView.PACKED_POSITION_TYPE_GROUP:
          attribute("section", String.valueOf(ExpandableListView.getPackedPositionGroup(packed)));
          attribute("role", "group");
          break;
        default:
          boolean isHeader = position < list.getHeaderViewsCount();
          int number = isHeader ? position : position - (list.getCount() - list.getFooterViewsCount());
          attribute("section", String.valueOf(number));
          attribute("role", isHeader ? "header" : "footer");
      }
    } else if (parent instanceof AdapterView) {
      AdapterView<?> list = (AdapterView<?>) parent;
      attribute("indexPath", "0 " + (list.getFirstVisiblePosition() + list.indexOfChild(view)));
    } else {
      Object position = call(parent, "getChildAdapterPosition", View.class, view);
      if (position instanceof Integer && (Integer) position >= 0) attribute("indexPath", "0 " + position);
    }
  }

  private void writeTexts(View view, boolean isPrivate, boolean typed) {
    if (view instanceof TextView) {
      TextView label = (TextView) view;
      if (!typed) attribute("text", text(label.getText()));
      if (!isPrivate) attribute("placeholder", text(label.getHint()));
      if (isPassword(label)) attribute("secure", "true");
    }
    if (typed) return;
    if (view instanceof CompoundButton) {
      attribute("on", String.valueOf(((CompoundButton) view).isChecked()));
      attribute("textOn", text(call(view, "getTextOn")));
      attribute("textOff", text(call(view, "getTextOff")));
    }
    if (view instanceof RatingBar) {
      attribute("value", String.valueOf(((RatingBar) view).getRating()));
    } else if (view instanceof ProgressBar) {
      attribute("value", String.valueOf(((ProgressBar) view).getProgress()));
    } else if (isKind(view.getClass(), "com.google.android.material.slider.BaseSlider")) {
      Object values = call(view, "getValues");
      if (values instanceof List && !((List<?>) values).isEmpty()) {
        StringBuilder joined = new StringBuilder();
        for (Object value : (List<?>) values) joined.append(joined.length() > 0 ? "-" : "").append(value);
        attribute("value", joined.toString());
      }
    }
  }

  /** Writes the additional attributes of tabs, menu items, toolbars and pagers. */
  private void writeItem(View view, boolean typed) {
    Object item = call(view, "getItemData");
    if (item instanceof MenuItem) {
      String name = resourceName(((MenuItem) item).getItemId());
      attribute("menuItem", name == null ? "" : name);
      if (!typed) attribute("title", text(((MenuItem) item).getTitle()));
    }
    if (typed) return;
    if (view.getClass().getSimpleName().equals("TabView")) {
      attribute("title", text(call(call(view, "getTab"), "getText")));
    }
    if (view.getClass().getSimpleName().endsWith("Toolbar")) attribute("title", text(call(view, "getTitle")));
    Object page = isPager(view.getClass()) ? call(view, "getCurrentItem") : null;
    if (page instanceof Integer) attribute("selectedIndex", String.valueOf(page));
  }

  private static boolean isPager(Class<?> type) {
    return isKind(type, "androidx.viewpager.widget.ViewPager") || isKind(type, "android.support.v4.view.ViewPager");
  }

  private static boolean isKind(Class<?> type, String name) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) if (c.getName().equals(name)) return true;
    return false;
  }

  // Privacy

  /** Returns whether people may type in a view: then neither its contents nor those of the views inside it are written. */
  private static boolean isField(View view) {
    if (view instanceof EditText) return true;
    if (view instanceof TextView && isPassword((TextView) view)) return true;
    for (Class<?> c = view.getClass(); c != null && c != View.class; c = c.getSuperclass()) {
      if (suggestsInput(c.getSimpleName())) return true;
    }
    return false;
  }

  /**
   * Guesses from the name of a class whether people type in its views, as the readers of captures do. In doubt the answer is yes:
   * hiding the text of a label is a nuisance, but showing a password cannot be undone.
   */
  private static boolean suggestsInput(String name) {
    // No compiler makes a name of this length.
    if (name.length() > 4096) return true;
    List<String> words = new ArrayList<>();
    Matcher matcher = WORD.matcher(name);
    while (matcher.find()) words.add(matcher.group().toLowerCase(Locale.ROOT));
    String last = words.isEmpty() ? "" : words.get(words.size() - 1);
    if (HARMLESS_LAST_WORDS.contains(last)) return false;
    String letters = name.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT);
    for (String part : PARTS) if (letters.contains(part)) return true;
    // The field in a bar is found by its own class.
    if (last.equals("bar") || last.equals("toolbar")) return false;
    for (String word : INPUT_WORDS) if (words.contains(word)) return true;
    for (int i = words.size() - 1; i >= 0; i--) {
      String word = words.get(i);
      if (!GENERIC_WORDS.contains(word) && !Character.isDigit(word.charAt(0))) return INPUT_NOUNS.contains(word);
    }
    return false;
  }

  // The lists of InputNames.swift, and web pages, which are covered as a whole.
  private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z\\x80-\\x{10ffff}]+|[0-9]+");
  private static final List<String> PARTS = Arrays.asList(
      "textfield", "textinput", "textarea", "textbox", "edittext", "edittable", "textedit", "secure", "password",
      "passcode", "passphrase", "fieldeditor", "combobox", "searchbar", "searchfield", "searchbox", "searchview",
      "searchinput", "autocomplete", "verificationcode", "verifycode", "smscode", "authcode", "pincode", "pinentry",
      "textentry", "codeentry", "entryfield", "entryrenderer", "keyboard", "predictionview", "candidateview",
      "candidatebar", "uitextview", "autocorrect", "composer", "credential", "webview");
  private static final List<String> INPUT_WORDS = Arrays.asList(
      "input", "inputs", "otp", "pwd", "passwd", "cvv", "cvc", "captcha", "editor");
  private static final List<String> INPUT_NOUNS = Arrays.asList("edit", "editable", "pin", "field", "typing");
  private static final List<String> GENERIC_WORDS = Arrays.asList(
      "view", "container", "wrapper", "box", "control", "component", "layout", "cell", "renderer", "host", "item",
      "widget", "native", "impl", "content", "group", "base", "node", "row", "wrap", "class");
  private static final List<String> HARMLESS_LAST_WORDS = Arrays.asList(
      "button", "icon", "image", "imageview", "switch", "toggle", "checkbox", "slider", "window", "separator",
      "background", "border", "shadow", "line", "underline", "controller");

  /**
   * Returns whether dots stand for the text of a view, or its input type is one of the four for passwords: of text 0x80, 0x90 and
   * 0xe0, of numbers 0x10.
   */
  private static boolean isPassword(TextView view) {
    int type = view.getInputType() & 0xfff;
    return type == 0x81 || type == 0x91 || type == 0xe1 || type == 0x12
        || view.getTransformationMethod() instanceof PasswordTransformationMethod;
  }

  // The picture

  private static boolean savePicture(Activity activity, File file) throws IOException {
    View decor = activity.getWindow().getDecorView();
    if (decor.getWidth() <= 0 || decor.getHeight() <= 0) return false;
    Bitmap bitmap = Bitmap.createBitmap(decor.getWidth(), decor.getHeight(), Bitmap.Config.ARGB_8888);
    Canvas canvas = new Canvas(bitmap);
    Paint cover = new Paint();
    cover.setColor(0xff888888);
    for (View root : roots(decor)) {
      if (root != decor && activity != activityOf(root.getContext())) continue;
      int[] origin = origin(root, decor);
      canvas.save();
      canvas.translate(origin[0], origin[1]);
      try {
        root.draw(canvas);
      } catch (RuntimeException refused) {
        // Hardware bitmaps, which image loaders make by default, cannot be drawn on such a canvas.
        return false;
      }
      if (!coverFields(root, canvas, cover, 0)) return false;
      canvas.restore();
    }
    try (FileOutputStream stream = new FileOutputStream(file)) {
      return bitmap.compress(Bitmap.CompressFormat.PNG, 100, stream);
    }
  }

  /** Covers the fields in a view. Returns whether views are nested so little that it found all of them. */
  private static boolean coverFields(View view, Canvas canvas, Paint cover, int depth) {
    if (view.getVisibility() != View.VISIBLE) return true;
    if (depth > MAXIMUM_DEPTH) return false;
    if (isField(view)) canvas.drawRect(0, 0, view.getWidth(), view.getHeight(), cover);
    if (!(view instanceof ViewGroup)) return true;
    ViewGroup group = (ViewGroup) view;
    for (int i = 0; i < group.getChildCount(); i++) {
      View child = group.getChildAt(i);
      canvas.save();
      canvas.translate(child.getLeft() - group.getScrollX(), child.getTop() - group.getScrollY());
      // Animations, and layouts that make room for a keyboard, draw a view elsewhere than where it was laid out.
      canvas.concat(child.getMatrix());
      if (!coverFields(child, canvas, cover, depth + 1)) return false;
      canvas.restore();
    }
    return true;
  }

  // Texts

  private String textIn(View root, String entry) {
    List<View> queue = new ArrayList<>();
    queue.add(root);
    for (int i = 0; i < queue.size(); i++) {
      View view = queue.get(i);
      if (isField(view)) continue;
      String name = resourceName(view.getId());
      if (view instanceof TextView && name != null && name.endsWith("/" + entry)) {
        // Not shortened, because identities contain it.
        CharSequence text = ((TextView) view).getText();
        return text == null ? null : text.toString();
      }
      if (view instanceof ViewGroup) {
        for (int j = 0; j < ((ViewGroup) view).getChildCount(); j++) queue.add(((ViewGroup) view).getChildAt(j));
      }
    }
    return null;
  }

  private String resourceName(int id) {
    if (id == View.NO_ID || id == 0) return null;
    // Ids made at run time have no package.
    if ((id >>> 24) == 0) return "generated:" + id;
    try {
      return activity.getResources().getResourceName(id);
    } catch (RuntimeException unknown) {
      return "generated:" + id;
    }
  }

  private static String text(Object value) {
    return value instanceof CharSequence ? shortened(value.toString()) : null;
  }

  /** Returns text of at most 16,384 bytes, which readers of captures accept as a title. */
  private static String shortened(String text) {
    int size = 0;
    int end = 0;
    while (end < text.length()) {
      int character = text.codePointAt(end);
      size += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
      if (size > MAXIMUM_TEXT) break;
      end += Character.charCount(character);
    }
    return text.substring(0, end);
  }

  private static String superclasses(Class<?> type) {
    StringBuilder names = new StringBuilder();
    for (Class<?> c = type.getSuperclass(); c != null && c != Object.class; c = c.getSuperclass()) {
      names.append(names.length() > 0 ? " " : "").append(c.getName());
    }
    return names.length() > 0 ? names.toString() : null;
  }

  /**
   * Returns the place of a window in the activity's own window, which is what {@code screen} and the picture show. In split screen
   * and in a freeform window, that window is not at the origin of the screen.
   */
  private static int[] origin(View root, View decor) {
    int[] origin = new int[2];
    int[] own = new int[2];
    root.getLocationOnScreen(origin);
    decor.getLocationOnScreen(own);
    return new int[] {origin[0] - own[0], origin[1] - own[1]};
  }

  private static String frame(View view, ViewGroup parent, View decor) {
    // With the translation, as the picture shows the view.
    int left = Math.round(view.getX());
    int top = Math.round(view.getY());
    if (parent == null) {
      int[] origin = origin(view, decor);
      left = origin[0];
      top = origin[1];
    } else {
      left -= parent.getScrollX();
      top -= parent.getScrollY();
    }
    return left + " " + top + " " + view.getWidth() + " " + view.getHeight();
  }

  private void indent(int depth) {
    for (int i = 0; i < Math.min(depth, 40); i++) xml.append("  ");
  }

  private void attribute(String name, String value) {
    if (value == null) return;
    xml.append(' ').append(name).append("=\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&': xml.append("&amp;"); break;
        case '<': xml.append("&lt;"); break;
        case '"': xml.append("&quot;"); break;
        case '\n': case '\r': case '\t': xml.append("&#").append((int) c).append(';'); break;
        default:
          boolean pair = Character.isHighSurrogate(c) && i + 1 < value.length()
              && Character.isLowSurrogate(value.charAt(i + 1));
          if (pair) {
            xml.append(c).append(value.charAt(++i));
          } else {
            // XML has no other control characters, and no lone surrogates.
            xml.append(c < 0x20 || Character.isSurrogate(c) || c >= 0xfffe ? '\ufffd' : c);
          }
      }
    }
    xml.append('"');
  }

  // Reflection

  private static Object call(Object object, String name) {
    return object == null ? null : invoke(object.getClass(), object, name, new Class<?>[0]);
  }

  private static Object call(Object object, String name, Class<?> type, Object argument) {
    return invoke(object.getClass(), object, name, new Class<?>[] {type}, argument);
  }

  private static Object callStatic(String type, String name) {
    try {
      return invoke(Class.forName(type), null, name, new Class<?>[0]);
    } catch (ClassNotFoundException | LinkageError missing) {
      return null;
    }
  }

  private static Object invoke(Class<?> type, Object object, String name, Class<?>[] types, Object... arguments) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      try {
        Method method = c.getDeclaredMethod(name, types);
        method.setAccessible(true);
        return method.invoke(object, arguments);
      } catch (NoSuchMethodException missing) {
        continue;
      } catch (Exception | LinkageError failed) {
        return null;
      }
    }
    return null;
  }

  private static Object field(Object object, String name) {
    if (object == null) return null;
    try {
      Field field = object.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return field.get(object);
    } catch (Exception | LinkageError missing) {
      return null;
    }
  }
}
