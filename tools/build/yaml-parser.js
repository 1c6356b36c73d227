// Exports the parts of the package yaml that the action uses: the bundle of all its parts is 7 KB longer.
export { isMap, isScalar, parseAllDocuments } from '../../node_modules/yaml/browser/index.js'
