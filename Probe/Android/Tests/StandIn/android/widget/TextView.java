package android.widget;

import android.content.Context;
import android.text.method.TransformationMethod;
public class TextView extends android.view.View {
  public CharSequence text = "", hint;
  public int inputType;
  public TransformationMethod transformation;
  public TextView(Context context) { super(context); }
  public CharSequence getText() { return text; }
  public CharSequence getHint() { return hint; }
  public int getInputType() { return inputType; }
  public TransformationMethod getTransformationMethod() { return transformation; }
}
