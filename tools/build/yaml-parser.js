// Exports the used parts of the package yaml: the bundle of all its parts is 7 KB longer.
export {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
} from '../../node_modules/yaml/browser/index.js'
