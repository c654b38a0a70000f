package android.text.method;

public class PasswordTransformationMethod implements TransformationMethod {}
