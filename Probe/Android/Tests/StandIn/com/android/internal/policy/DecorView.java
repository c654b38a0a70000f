package com.android.internal.policy;

public class DecorView extends android.widget.FrameLayout { public DecorView(android.content.Context context) { super(context); } }
