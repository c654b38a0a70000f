import EncircleEvents

// Clicks on controls, by gestures and on cells.
extension WhitePaperModel {
  private static let event = "$AppClick"
  private static let recognizers = ["UITapGestureRecognizer", "UILongPressGestureRecognizer"]

  mutating func click(_ control: Int, _ tap: TapSignal, _ output: inout ReplayOutput) {
    trackClick(
      control, content: control, position: nil, "click.control", "The application sends an action of a control.",
      &output)
  }

  mutating func click(_ view: Int?, on carrier: Int, _ gesture: GestureSignal, _ output: inout ReplayOutput) {
    guard Self.recognizers.contains(where: { isRecognizer(gesture, kindOf: $0) }) else {
      output.explain("click.recognizer", "The recognizer is neither of a tap nor of a long press.", event: Self.event)
      return
    }
    guard gesture.state == .ended else {
      output.explain("click.state", "The recognizer has not ended.", event: Self.event)
      return
    }
    guard let view else {
      output.explain("click.option", "No option is under the touch.", event: Self.event)
      return
    }
    // The SDK adds its target once, however many the app has.
    trackClick(
      view, content: view, position: nil, "click.gesture", "A recognizer calls the SDK's target.", &output)
  }

  mutating func click(_ selection: CellSelection, _ output: inout ReplayOutput) {
    trackClick(
      selection.list, content: selection.cell, position: selection.indexPath.map { "\($0.section):\($0.row)" },
      "click.cell", "A cell is selected.", &output)
  }

  mutating func observe(_ action: SignalAction, _ view: Int, _ output: inout ReplayOutput) {
    guard case .setJSResponder = action else {
      output.explainUndescribed("view", "event of this kind")
      return
    }
    trackClick(
      view, content: view, position: nil, "click.react-native", "React Native has made the view its responder.", &output
    )
  }

  private mutating func trackClick(
    _ view: Int, content: Int?, position: String?, _ rule: String, _ reason: String, _ output: inout ReplayOutput
  ) {
    guard app.configuration.automaticEvents.contains(.click) else {
      output.explain("click.off", "Clicks are switched off.", event: Self.event)
      return
    }
    var properties: EventObject = ["$element_type": .string(app.world.views[view].className)]
    if let text = content.flatMap({ ShownText.text(of: $0, app.world) }) {
      properties.add("$element_content", .string(text))
    }
    if let position { properties.add("$element_position", .string(position)) }
    properties.merge(screenProperties(app.world.nextPage(ofView: content ?? view)))
    track(Self.event, properties, rule, reason, &output)
  }
}
