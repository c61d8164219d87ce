export {
  ADDED,
  CHANGED,
  COPIED,
  DELETED,
  acted,
  declareService,
  maybe,
  nothing,
  optionOut,
  rowOutcomes,
} from '#kernel/contract/service.ts';
