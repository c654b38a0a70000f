import EncircleText

/// Normalized forms of texts: two ways of writing the same text have the same form. They may differ in full-width and half-width
/// signs, traditional and simplified characters, case, kinds of quotes and spaces, and characters that are often confused.
enum TextVariants {
  /// Returns a form that all spellings of a text share, with 0 for each number.
  ///
  /// Two forms are compared as Swift strings, so that composed and decomposed accents are equal.
  ///
  /// - Complexity: O(length).
  static func form(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var wasDigit = false
    for scalar in plain(text).unicodeScalars {
      if scalar.properties.isWhitespace || isQuote(scalar) { continue }
      let isDigit = ("0"..."9").contains(scalar)
      defer { wasDigit = isDigit }
      if isDigit {
        if !wasDigit { result.append("0") }
      } else if let other = characters[scalar] {
        result.append(other)
      } else {
        result.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(result)
  }

  /// Returns a text with half-width signs in place of full-width ones, and without invisible characters.
  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xFF01...0xFF5E: result.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x3000, 0xA0, 0x2007, 0x202F: result.append(" ")
      case 0x200B...0x200F, 0xFE00...0xFE0F, 0xFEFF: continue
      default:
        if let other = signs[scalar] { result.append(contentsOf: other.unicodeScalars) } else { result.append(scalar) }
      }
    }
    return String(result)
  }

  /// Returns whether a text has signs that ``plain(_:)`` changes.
  static func hasWideSigns(_ text: String) -> Bool {
    text.utf8.contains { $0 >= 0x80 } && !plain(text).hasSameBytes(as: text)
  }

  /// Returns a text with 0 for each number of ASCII digits.
  static func withoutNumbers(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if !isDigit(byte) { result.append(byte) } else if result.last != 0x30 { result.append(0x30) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns a text with its numbers replaced by the numbers of another text; nil if the counts of numbers differ.
  static func text(_ text: String, withNumbersOf other: String) -> String? {
    let numbers = self.numbers(in: plain(other))
    guard numbers.count == self.numbers(in: text).count else { return nil }
    var result: [UInt8] = []
    var next = 0
    var wasDigit = false
    for byte in text.utf8 {
      if !isDigit(byte) {
        result.append(byte)
      } else if !wasDigit {
        result += numbers[next]
        next += 1
      }
      wasDigit = isDigit(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func numbers(in text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split { !isDigit($0) }
  }

  private static func isQuote(_ scalar: Unicode.Scalar) -> Bool { scalar == "\"" || scalar == "'" }

  private static let signs: [Unicode.Scalar: String] = [
    "“": "\"", "”": "\"", "„": "\"", "«": "\"", "»": "\"", "「": "\"", "」": "\"", "『": "\"", "』": "\"", "‘": "'",
    "’": "'", "。": ".", "、": ",", "…": "...", "—": "-", "–": "-", "−": "-", "【": "[", "】": "]", "〔": "(", "〕": ")",
    "￥": "¥", "・": "·", "•": "·", "〜": "~",
  ]

  // Each pair is a character and its replacement: traditional and simplified characters that are common in apps, and
  // characters that people confuse, as in 登陆 for 登录.
  private static let characters: [Unicode.Scalar: Unicode.Scalar] = {
    let text = """
      陆录陸录錄录帐账帳账它他牠他撤撤销消銷消份分做作結结購购車车買买賣卖單单訂订貨货錢钱優优惠惠會会員员註注冊册號号碼码密密\
      關关閉闭開开啟启動动載载入入選选擇择確确認认設设置置請请輸输備备項项頁页個个們们說说話话語语發发評评論论收收藏藏讚赞贊赞\
      點点擊击圖图書书視视頻频電电郵邮資资訊讯訂订閱阅讀读寫写傳传遞递送送達达運运費费價价額额總总計计數数量量減减還还換换\
      貼贴換换條条編编輯辑刪删除除複复製制粘粘貼贴儲储存存檔档鎖锁門门戶户應应該该網网絡络連连線线斷断無无異异誤误錯错試试驗验\
      證证簽签約约轉转帳账賬账餘余錄录領领獎奖禮礼劵券熱热銷消類类屬属導导購购實实時时間间長长歷历記记錄录後后從从這这裡里裏里\
      進进遠远邊边過过場场廣广東东國国際际見见觀观覺觉學学習习員员聯联繫系係系樂乐體体頭头顯显隱隐暫暂響响題题標标籤签層层\
      組组織织級级紅红綠绿藍蓝黃黄歡欢爾尔與与為为麼么給给讓让對对錢钱銀银鐵铁鍵键質质環环節节範范圍围邀邀權权極极構构檢检查查\
      積积稱称種种穩稳競竞筆笔簡简經经統统維维縮缩續续罰罚職职臨临舉举舊旧藝艺虛虚處处蘋苹術术衛卫裝装覽览觸触變变豐丰負负販贩\
      貴贵賞赏賺赚趕赶跡迹軟软輕轻農农適适遊游違违鄉乡醫医釋释針针鈴铃閃闪陽阳陰阴隊队階阶隨随雙双難难離离靜静順顺預预飯饭飲饮\
      馬马驅驱魚鱼鮮鲜麗丽齊齐龍龙
      """
    let pairs = Array(text.unicodeScalars)
    var result: [Unicode.Scalar: Unicode.Scalar] = [:]
    for i in stride(from: 0, to: pairs.count - 1, by: 2) where pairs[i] != pairs[i + 1] {
      result[pairs[i]] = pairs[i + 1]
    }
    return result
  }()
}
