// The interface of events consists of types of EncircleText: numbers, texts, pointers and errors of JSON.
@_exported import EncircleText
