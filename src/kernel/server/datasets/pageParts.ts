/** Pieces of the pages that ship with the product: a list with its search, its columns and what may be done with a row. */
export type Part = Readonly<Record<string, unknown>>;

interface Choices {
  options: readonly { value: string; label: string }[];
}

const optionsOf = ({ options }: Choices) => options.map(({ value, label }) => ({ value, label }));

/** One of a dictionary. */
export const choice = (name: string, label: string, from: Choices): Part => ({
  type: 'select',
  name,
  label,
  clearable: true,
  options: optionsOf(from),
});

/** Several of a dictionary. */
export const choices = (name: string, label: string, from: Choices): Part => ({
  ...choice(name, label, from),
  multiple: true,
  joinValues: false,
  extractValue: true,
});

export const yesNo = (name: string, label: string): Part =>
  choice(name, label, {
    options: [
      { value: 'true', label: '是' },
      { value: 'false', label: '否' },
    ],
  });

const searchButtons: Part = {
  type: 'button-toolbar',
  buttons: [
    { type: 'submit', label: '查询', level: 'primary' },
    { type: 'reset', label: '重置' },
  ],
};

/** The search over a list: rows of fields, the buttons behind the last. */
const searchOf = (rows: readonly (readonly Part[])[]): Part => ({
  title: '',
  mode: 'horizontal',
  wrapWithPanel: false,
  className: 'kq-filter',
  body: rows.map((fields, at) => ({ type: 'group', body: at === rows.length - 1 ? [...fields, searchButtons] : fields })),
});

interface List {
  /** By which its forms reload it. */
  name: string;
  dataset: string;
  placeholder: string;
  search: readonly (readonly Part[])[];
  bulkActions?: readonly Part[];
  /** Buttons over the list that are of no row. */
  toolbar?: readonly Part[];
  columns: readonly Part[];
  /** Buttons of a row, and the width that they need. */
  row?: { width: number; buttons: readonly Part[] };
}

const tableOf = ({ name, placeholder, search, columns, row }: List, api: Part | string): Part => ({
  type: 'crud',
  name,
  api,
  perPage: 20,
  primaryField: 'id',
  placeholder,
  filter: searchOf(search),
  columns: [...columns, ...(row ? [{ type: 'operation', label: '操作', width: row.width, fixed: 'right', buttons: row.buttons }] : [])],
});
const exportOf = (dataset: string): Part => ({ type: 'kq-export', dataset, label: '导出', align: 'right' });

const wholeList = (list: List): Part => ({
  ...tableOf(list, `/ds/${list.dataset}/list`),
  ...(list.bulkActions && { bulkActions: list.bulkActions }),
  headerToolbar: [
    ...(list.toolbar ?? []),
    ...(list.bulkActions ? ['bulkActions'] : []),
    { type: 'columns-toggler', align: 'right' },
    { type: 'reload', align: 'right' },
    exportOf(list.dataset),
  ],
  footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
  perPageAvailable: [10, 20, 50, 100],
});

/** A list that is a page: its search is kept in the address, its columns are chosen. */
export const listPage = (list: List): Part => ({ type: 'page', body: [{ ...wholeList(list), syncLocation: true }] });

/** Several lists on one page, each in a tab that is read when it is opened; the search of the first is kept in the address. */
export const tabbedPage = (tabs: readonly { title: string; list: List }[]): Part => ({
  type: 'page',
  body: [
    {
      type: 'tabs',
      tabs: tabs.map(({ title, list }, at) => ({
        title,
        ...(at > 0 && { mountOnEnter: true }),
        body: [{ ...wholeList(list), syncLocation: at === 0 }],
      })),
    },
  ],
});

/** A form that sends an act of a dataset and reloads a list. */
export const actionForm = (dataset: string, code: string, data: Part, reload: string, body: readonly Part[]): Part => ({
  type: 'form',
  mode: 'horizontal',
  api: { url: `/ds/${dataset}/action.${code}`, data },
  reload,
  body,
});

/** A row's button that is there while the row allows the act; it opens a form. */
export const rowForm = (code: string, label: string, title: string, body: Part): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  actionType: 'dialog',
  dialog: { title, body },
});

/** A row's button that opens a drawer in which nothing is confirmed. */
export const rowDrawer = (label: string, drawer: Part): Part => ({
  type: 'button',
  label,
  level: 'link',
  actionType: 'drawer',
  drawer: { ...drawer, actions: [] },
});

/** What shows a button only while its row allows the act. */
export const allows = (code: string): string => `\${ARRAYINCLUDES(allowedActions, '${code}')}`;
