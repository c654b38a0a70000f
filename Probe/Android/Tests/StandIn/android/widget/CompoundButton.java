package android.widget;

public class CompoundButton extends Button {
  public boolean checked;
  public CompoundButton(android.content.Context context) { super(context); }
  public boolean isChecked() { return checked; }
}
