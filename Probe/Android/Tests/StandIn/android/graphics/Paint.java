package android.graphics;

public class Paint { public void setColor(int color) {} }
