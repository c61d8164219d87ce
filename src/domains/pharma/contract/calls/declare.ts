export {
  ADDED,
  CHANGED,
  DELETED,
  acted,
  declareService,
  intOrNull,
  maybe,
  nothing,
  optionOut,
  rowOutcomes,
  textOrNull,
} from '../../../../kernel/contract/service.ts';
