/// Rules about the order page in the captures of two versions, `order-v5.1.xml` and `order-v5.2.xml`, between which three of them
/// break.
public enum OrderRules {
  public static let text = """
    version: 1
    app: com.example.shop
    rules:
      - id: order.submit
        include: { event: $AppClick, page: OrderViewController, selector: OrderBar/PrimaryButton }
      - id: order.contact # the button at the left
        include: { event: $AppClick, page: OrderViewController, selector: OrderBar/UIButton(0) }
      - id: order.invoice
        include: { event: $AppClick, page: OrderViewController, selector: OrderBar/UIButton(2) }
      - id: order.shipping
        include: { event: $AppClick, page: OrderViewController, selector: "UIView(0)/UIView(0)/*(0)" }

    """
}
