// What may stand at a key of a definition. What is not listed is refused.

export type Kind =
  /** Text with `${…}` of the allowed filters and functions; no markup. */
  | 'text'
  /** Text in which a few tags may stand: `tpl`. */
  | 'markup'
  /** A field's or component's name: words joined by dots. */
  | 'name'
  | 'names'
  /** True, false, or exactly one `${…}`. */
  | 'condition'
  | 'flag'
  | 'number'
  /** A word of the component's own: `sm`, `horizontal`, `right`. */
  | 'word'
  | 'words'
  /** The name of an icon or of a level: the renderer makes an address of anything that looks like one. */
  | 'sign'
  /** Number, flag, word or text. */
  | 'scalar'
  | 'class'
  | 'style'
  /** A component, several, or text. */
  | 'body'
  | 'component'
  | 'buttons'
  | 'columns'
  | 'fields'
  /** Words that the component knows (`pagination`), and components. */
  | 'toolbar'
  /** Addresses that read, and that write. */
  | 'read'
  | 'write'
  /** Where choices come from: an address, or a variable. */
  | 'source'
  | 'options'
  /** Code to text. */
  | 'map'
  /** Names to texts and values, also within one another. */
  | 'data'
  | 'events'
  | 'dialog'
  /** An internal page. */
  | 'link'
  | 'actionType'
  /** A dataset by its code, and names of its declaration. */
  | 'dataset'
  | 'stat'
  | 'column'
  /** Lists of objects with keys of their own. */
  | { items: Readonly<Record<string, Kind>> }
  /** One such object. */
  | { object: Readonly<Record<string, Kind>> };

export type Keys = Readonly<Record<string, Kind>>;

/** What every component may have. */
export const commonKeys: Keys = {
  type: 'word',
  id: 'name',
  name: 'name',
  label: 'text',
  className: 'class',
  style: 'style',
  visible: 'condition',
  visibleOn: 'condition',
  hidden: 'condition',
  hiddenOn: 'condition',
  disabled: 'condition',
  disabledOn: 'condition',
  static: 'condition',
  staticOn: 'condition',
  onEvent: 'events',
  value: 'scalar',
  mode: 'word',
  size: 'word',
  width: 'scalar',
  align: 'word',
  remark: 'text',
  placeholder: 'text',
};

/** Besides of what stands in the columns of a table. */
export const columnKeys: Keys = {
  title: 'text',
  sortable: 'flag',
  toggled: 'flag',
  fixed: 'word',
  copyable: 'flag',
  headerAlign: 'word',
  vAlign: 'word',
  groupName: 'text',
  minWidth: 'number',
};

/** Besides of what is filled in. */
export const fieldKeys: Keys = {
  required: 'condition',
  requiredOn: 'condition',
  readOnly: 'condition',
  readOnlyOn: 'condition',
  description: 'text',
  desc: 'text',
  hint: 'text',
  inline: 'flag',
  clearable: 'flag',
  labelAlign: 'word',
  labelWidth: 'number',
  labelRemark: 'text',
  columnRatio: 'scalar',
  row: 'number',
  validations: 'data',
  validationErrors: 'map',
  validateOnChange: 'flag',
  submitOnChange: 'flag',
  clearValueOnHidden: 'flag',
  inputClassName: 'class',
  labelClassName: 'class',
};

const choice: Keys = {
  options: 'options',
  source: 'source',
  multiple: 'flag',
  searchable: 'flag',
  labelField: 'name',
  valueField: 'name',
  joinValues: 'flag',
  extractValue: 'flag',
  delimiter: 'word',
  checkAll: 'flag',
  checkAllLabel: 'text',
  selectFirst: 'flag',
  selectMode: 'word',
  maxTagCount: 'number',
  columnsCount: 'number',
  initFetch: 'flag',
  loadingOn: 'condition',
  noResultsText: 'text',
  hideNodePathLabel: 'flag',
  onlyLeaf: 'flag',
  optionClassName: 'class',
};

const day: Keys = {
  format: 'word',
  valueFormat: 'word',
  inputFormat: 'word',
  displayFormat: 'word',
  minDate: 'text',
  maxDate: 'text',
  minDuration: 'word',
  maxDuration: 'word',
  shortcuts: 'words',
  timeFormat: 'word',
  startPlaceholder: 'text',
  endPlaceholder: 'text',
  closeOnSelect: 'flag',
  timeConstraints: 'data',
  delimiter: 'word',
  joinValues: 'flag',
};

const texts: Keys = {
  prefix: 'text',
  suffix: 'text',
  minLength: 'number',
  maxLength: 'number',
  showCounter: 'flag',
  trimContents: 'flag',
  clearValueOnEmpty: 'flag',
};

export const buttonKeys: Keys = {
  actionType: 'actionType',
  api: 'write',
  dialog: 'dialog',
  drawer: 'dialog',
  link: 'link',
  target: 'names',
  reload: 'names',
  close: 'scalar',
  confirmText: 'text',
  confirmTitle: 'text',
  tooltip: 'text',
  tooltipPlacement: 'word',
  disabledTip: 'text',
  required: 'names',
  content: 'text',
  level: 'sign',
  icon: 'sign',
  rightIcon: 'sign',
  block: 'flag',
  primary: 'flag',
  messages: { object: { success: 'text', failed: 'text' } },
  hotKey: 'word',
  mergeData: 'flag',
  body: 'body',
};

const tableKeys: Keys = {
  columns: 'columns',
  source: 'source',
  title: 'text',
  affixHeader: 'flag',
  columnsTogglable: 'scalar',
  footable: 'flag',
  combineNum: 'number',
  primaryField: 'name',
  resizable: 'flag',
  showHeader: 'flag',
  showFooter: 'flag',
  tableLayout: 'word',
  autoFillHeight: 'flag',
  showIndex: 'flag',
  prefixRow: 'columns',
  affixRow: 'columns',
  lazyRenderAfter: 'number',
};

const cardKeys: Keys = {
  header: { object: { title: 'text', subTitle: 'text', description: 'text' } },
  body: 'columns',
  actions: 'buttons',
  itemAction: 'component',
};

const staticKeys: Keys = {
  tpl: 'markup',
  text: 'text',
  copyable: 'flag',
  format: 'word',
  valueFormat: 'word',
  map: 'map',
  labelRemark: 'text',
  description: 'text',
  inline: 'flag',
};

const formKeys: Keys = {
  title: 'text',
  api: 'write',
  initApi: 'read',
  initFetch: 'flag',
  initFetchOn: 'condition',
  body: 'fields',
  actions: 'buttons',
  submitText: 'text',
  wrapWithPanel: 'flag',
  horizontal: 'data',
  labelWidth: 'number',
  labelAlign: 'word',
  columnCount: 'number',
  canAccessSuperData: 'flag',
  data: 'data',
  autoFocus: 'flag',
  resetAfterSubmit: 'flag',
  clearAfterSubmit: 'flag',
  closeDialogOnSubmit: 'flag',
  preventEnterSubmit: 'flag',
  submitOnChange: 'flag',
  submitOnInit: 'flag',
  target: 'names',
  reload: 'names',
  messages: { object: { saveSuccess: 'text', saveFailed: 'text', fetchFailed: 'text', validateFailed: 'text' } },
  bodyClassName: 'class',
  panelClassName: 'class',
};

export const parts = { choice, day, texts, tableKeys, cardKeys, staticKeys, formKeys };
