// What is read of YAML: its parser, without all that makes values of what it reads, or writes any.
export {
  EVENT_ALIAS,
  EVENT_DOCUMENT,
  EVENT_MAPPING,
  EVENT_POP,
  EVENT_SCALAR,
  getScalarValue,
  parseEvents,
  SCALAR_STYLE,
  YAMLException,
} from '../../node_modules/js-yaml/dist/js-yaml.mjs'
