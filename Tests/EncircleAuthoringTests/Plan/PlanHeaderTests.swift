import Testing

@testable import EncircleAuthoring

/// Tables of the plan as other products write them: their headers, and how rows belong together.
@Suite struct PlanHeaderTests {
  @Test("a table of Amplitude says whether events are active, which is no status")
  func activity() throws {
    let table = """
      Object Type,Object Name,Event Activity
      Event,alpha,ACTIVE
      Event,beta,Inactive
      Event,gamma,planned
      """
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty)
    #expect(after.plan.contains("beta") && after.plan.contains("status: planned"), "\(after.plan)")
    #expect(!after.plan.lowercased().contains("active"), "\(after.plan)")
  }

  @Test("a table of Sensors says whether events are shown, which is no status")
  func shown() throws {
    let table = "事件英文变量名,显示状态\nalpha,显示\nbeta,隐藏\n"
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty)
    #expect(after.plan.contains("beta") && !after.plan.contains("status"), "\(after.plan)")
  }

  @Test("without a column for the object type, the first row of an event may have its first property")
  func firstProperties() throws {
    let table = """
      事件英文变量名,事件显示名,应埋点平台,属性英文变量名,属性显示名,属性值类型,是否必填
      alpha,甲,"IOS,WEB",price,价格,数值,是
      ,,,sku,商品,字符串,否
      beta,乙,IOS,,,,
      """
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty && result.rows.map(\.event) == ["alpha", "alpha", "beta"])
    #expect(after.plan.contains("price") && after.plan.contains("sku") && after.plan.contains("甲"), "\(after.plan)")
  }

  @Test("a row that repeats the type and name of an event above it, and names a property, is the property's")
  func repeatedEvents() throws {
    let table = """
      Object Type,Object Name,Event Property Name,Property Value Type
      Event,alpha,,
      Event,alpha,price,number
      Event,alpha,sku,string
      Event,alpha,,
      """
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.map(\.line) == [5])
    #expect(after.plan.contains("price") && after.plan.contains("sku"), "\(after.plan)")
  }

  @Test(
    "the first row of an event has its first property, too, if it says Event",
    arguments: [
      "Object Type,Event Name,Event Display Name,Property Name,Property Value Type\nEvent",
      "类型,事件英文变量名,事件显示名,属性英文变量名,属性值类型\n事件",
    ])
  func firstPropertyOfTypedRow(start: String) throws {
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(
      start + ",alpha,甲,price,number\n,alpha,,sku,string\n")
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    let alpha = try #require(try after.joined().entry(of: "alpha"))
    #expect(alpha.name == "甲" && alpha.planned?.properties.map(\.property) == ["price", "sku"], "\(after.plan)")
  }

  @Test("rows of other object types are rejected, and so are the rows below them that name no event")
  func otherTypes() throws {
    let table = """
      Action,Object Type,Object Name,Event Property Name,Property Value Type
      ,Event,Checkout,,
      ,Property Group,Checkout,,
      ,,,sku,string
      ,Page,Home,,
      Ignore,Page,Cart,,
      ,Event,alpha,,
      ,,,price,number
      """
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    let text = PlanImportText.text(result)
    #expect(result.rejected.map(\.line) == [3, 4, 5], "\(text)")
    #expect(text.contains("line 3, Object Type: unknown object type 'Property Group': expected Event or "), "\(text)")
    let plan = try after.joined()
    #expect(plan.entries.map(\.event) == ["Checkout", "alpha"], "\(after.plan)")
    #expect(plan.entry(of: "Checkout")?.planned?.properties.isEmpty == true, "\(after.plan)")
  }

  @Test("an enum of Amplitude is a property with values, and is exported as one; importing that changes nothing")
  func enumOfAmplitude() throws {
    let table = """
      Object Type,Object Name,Event Source,Event Property Name,Property Value Type,Enum Values,Const Value
      Event,alpha,Backend,,,,
      ,,,currency,enum,"CNY, USD",
      ,,,source,const,,app
      """
    let (result, after) = try PlanTableFiles(rules: "version: 1\nrules: []\n", plan: "version: 1\n").importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    let alpha = try #require(try after.joined().entry(of: "alpha")?.planned)
    #expect(alpha.platforms == [.server] && alpha.properties.map(\.type) == [.any, .any], "\(after.plan)")
    #expect(alpha.properties[0].values == [.string("CNY"), .string("USD")], "\(after.plan)")
    let exported = PlanExport.text(try after.joined(), .amplitude)
    #expect(exported.contains(",enum,") && exported.contains(",app,"), "\(exported)")
    for again in [table, exported] {
      #expect(!(try after.importing(again).result.hasChanges), "\(again)")
    }
  }

  @Test(
    "headers of any set are known in any order, and one set decides ambiguous ones",
    arguments: [
      ("备注,事件英文变量名,应埋点平台\nx,order_paid,\"IOS,MINI_APP\"\n", "remark: x\n", "platforms: [ios, mini-program]"),
      ("备注,创建人,事件英文变量名,显示状态\nx,me,order_paid,废弃\n", "description: x\n    owner: me", "status: deprecated"),
      ("Object Name,Object description,Event Source\norder_paid,x,server\n", "description: x\n", "platforms: [server]"),
      (
        "Description,Name,Status,Data Type\nx,order_paid,,\ny,p,required,date time\n", "description: x\n",
        "type: datetime"
      ),
      ("Event Name,负责人,Remark\norder_paid,me,later\n", "owner: me\n", "remark: later"),
      ("EVENT NAME,owner,Remark,remark\norder_paid,me,later,kept\n", "owner: me\n", "\"12\", remark: kept }"),
    ])
  func headers(table: String, first: String, second: String) throws {
    let (result, after) = try PlanTableFiles().importing(table)
    #expect(result.rejected.isEmpty, "\(PlanImportText.text(result))")
    #expect(after.plan.contains(first) && after.plan.contains(second), "\(after.plan)")
    #expect(result.missing == [.init(event: "add_to_cart", property: nil)], "what the table does not have stays")
  }
}
