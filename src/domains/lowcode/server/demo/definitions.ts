// What the pages of the demonstration are made of. The owners' datasets are named by their codes, as in any page.

type Node = Readonly<Record<string, unknown>>;

const page = (title: string, ...body: readonly unknown[]): Node => ({ type: 'page', title, body });
const cityChart = {
  type: 'kq-chart',
  dataset: 'institution.hospital',
  stat: 'city',
  title: '各城市医院数',
  measures: ['count', 'located'],
};
const issueChart = { type: 'kq-chart', dataset: 'institution.hospital', stat: 'issue', title: '质量问题分布' };
const search = (...fields: readonly Node[]): Node => ({
  title: '',
  mode: 'horizontal',
  wrapWithPanel: false,
  className: 'kq-filter',
  body: [
    {
      type: 'group',
      body: [
        ...fields,
        {
          type: 'button-toolbar',
          buttons: [
            { type: 'submit', label: '查询', level: 'primary' },
            { type: 'reset', label: '重置' },
          ],
        },
      ],
    },
  ],
});
const word = (name: string, label: string): Node => ({ type: 'input-text', name, label, clearable: true });
const list = (dataset: string, name: string, more: Node): Node => ({
  type: 'crud',
  name,
  api: `/ds/${dataset}/list`,
  perPage: 20,
  primaryField: 'id',
  placeholder: '没有符合条件的记录',
  footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
  ...more,
});
const exported = (dataset: string): Node => ({ type: 'kq-export', dataset, label: '导出', align: 'right' });

const qualityList = list('institution.hospital', 'hospitals', {
  headerToolbar: [exported('institution.hospital'), 'reload'],
  filter: search(word('keyword', '关键字'), word('hospitalNo', '医院编号')),
  columns: [
    { name: 'hospitalNo', label: '医院编号', width: 160 },
    { name: 'name', label: '医院名称', width: 240, sortable: true },
    { name: 'levelText', label: '等级', width: 90 },
    { name: 'region', label: '地区', width: 180 },
    { name: 'qualityScoreBpText', label: '数据质量', width: 90, align: 'right', sortable: true },
    { name: 'qualityIssuesText', label: '质量问题', width: 220 },
  ],
});
const sideBySide = (...columns: readonly unknown[]): Node => ({
  type: 'grid',
  columns: columns.map((body) => ({ md: 6, body })),
});

/** 区域报表, as it grew. */
export const regionReport = {
  first: page('区域报表', cityChart),
  second: page('区域报表', sideBySide(cityChart, issueChart), qualityList),
  third: page('区域报表', { ...cityChart, top: 3 }, qualityList),
};

const timeline: Node = {
  type: 'button',
  label: '轨迹',
  level: 'link',
  actionType: 'drawer',
  drawer: { title: '${name}', actions: [], closeOnOutside: true, body: { type: 'kq-timeline', dataset: 'pharma.company' } },
};
const stop: Node = {
  type: 'button',
  label: '停用',
  level: 'link',
  className: 'text-danger',
  visibleOn: "${ARRAYINCLUDES(allowedActions, 'disable')}",
  actionType: 'dialog',
  dialog: {
    title: '停用药企',
    body: {
      type: 'form',
      mode: 'horizontal',
      api: {
        url: '/ds/pharma.company/action.disable',
        data: { key: '${id}', version: '${version}', opinion: '${opinion}' },
      },
      reload: 'companies',
      body: [
        { type: 'static', name: 'name', label: '药企' },
        { type: 'textarea', name: 'opinion', label: '停用原因', required: true, maxLength: 200, showCounter: true },
      ],
    },
  },
};
const start: Node = {
  type: 'button',
  label: '启用',
  level: 'link',
  visibleOn: "${ARRAYINCLUDES(allowedActions, 'enable')}",
  actionType: 'ajax',
  confirmText: '确定启用该药企？',
  api: { url: '/ds/pharma.company/action.enable', data: { key: '${id}', version: '${version}' } },
  reload: 'companies',
};

/** 供应商待办: who supplies, whose papers end, whose representatives are not filed. */
export const supplierTodo = page('供应商待办', {
  type: 'tabs',
  tabs: [
    {
      title: '合作药企',
      body: list('pharma.company', 'companies', {
        headerToolbar: [exported('pharma.company'), 'reload'],
        filter: search(word('companyNo', '药企编号'), word('name', '药企名称'), word('uscc', '统一社会信用代码')),
        columns: [
          { name: 'companyNo', label: '药企编号', width: 160 },
          { name: 'name', label: '药企名称', width: 240 },
          { name: 'rolesText', label: '角色', width: 160 },
          { name: 'contactName', label: '联系人', width: 90 },
          { name: 'contactMobile', label: '手机号', width: 170, type: 'kq-reveal', dataset: 'pharma.company', column: 'contactMobile' },
          { name: 'licenceValidToText', label: '资质有效期', width: 110 },
          { name: 'lineCount', label: '产品线数', width: 80, align: 'right' },
          { name: 'agentCount', label: '代表数', width: 80, align: 'right' },
          { name: 'stateText', label: '状态', width: 80 },
          { type: 'operation', label: '操作', width: 130, fixed: 'right', buttons: [timeline, stop, start] },
        ],
      }),
    },
    {
      title: '代表备案',
      mountOnEnter: true,
      body: list('pharma.agent', 'agents', {
        headerToolbar: [exported('pharma.agent'), 'reload'],
        filter: search(word('agentNo', '代表编号'), word('name', '姓名'), {
          type: 'select',
          name: 'filing',
          label: '备案情况',
          clearable: true,
          options: [
            { value: 'NONE', label: '未备案' },
            { value: 'EXPIRING', label: '60天内到期' },
            { value: 'EXPIRED', label: '已过期' },
          ],
        }),
        columns: [
          { name: 'agentNo', label: '代表编号', width: 160 },
          { name: 'name', label: '姓名', width: 100 },
          { name: 'mobile', label: '手机号', width: 170, type: 'kq-reveal', dataset: 'pharma.agent', column: 'mobile' },
          { name: 'companyName', label: '药企', width: 200 },
          { name: 'rankText', label: '职级', width: 100 },
          { name: 'filingNo', label: '备案号', width: 170 },
          { name: 'filingValidToText', label: '备案有效期', width: 110 },
          { name: 'stateText', label: '状态', width: 80 },
        ],
      }),
    },
  ],
});

/** 医生看板. */
export const doctorBoard = page(
  '医生看板',
  { type: 'kq-chart', dataset: 'doctor.doctor', stat: 'work', title: '医生待办' },
  list('doctor.doctor', 'doctors', {
    primaryField: 'doctorId',
    headerToolbar: [exported('doctor.doctor'), 'reload'],
    filter: search(word('doctorNo', '医生编号'), word('name', '姓名'), {
      type: 'input-date-range',
      name: 'registered',
      label: '注册时间',
      valueFormat: 'YYYY-MM-DD',
      clearable: true,
    }),
    columns: [
      { name: 'doctorNo', label: '医生编号', width: 160, sortable: true },
      { name: 'name', label: '姓名', width: 100, sortable: true },
      { name: 'titleCodeText', label: '职称', width: 110 },
      { name: 'hospitalName', label: '医院', width: 220 },
      { name: 'departmentName', label: '科室', width: 120 },
      { name: 'qualStateText', label: '认证状态', width: 100 },
      { name: 'accountStateText', label: '账号状态', width: 90 },
      { name: 'acceptStateText', label: '接诊', width: 90 },
      { name: 'openingCount', label: '已开通服务', width: 100, align: 'right' },
      { name: 'createdAtText', label: '注册时间', width: 160, sortable: true },
    ],
  }),
);

/** 旧版门店查询, taken off the menu when its successor came. */
export const oldLogistics = page(
  '旧版门店查询',
  list('institution.drugstore', 'stores', {
    filter: search(word('storeNo', '门店编号'), word('name', '名称')),
    columns: [
      { name: 'storeNo', label: '门店编号', width: 160 },
      { name: 'name', label: '名称', width: 240 },
      { name: 'address', label: '地址', width: 300 },
      { name: 'stateText', label: '状态', width: 90 },
    ],
  }),
);

/** 药店联系簿: its column for the fax is not there any more. */
export const brokenDemo = page(
  '药店联系簿',
  { type: 'alert', level: 'info', body: '门店联系方式，每日更新', showIcon: true },
  list('institution.drugstore', 'stores', {
    columns: [
      { name: 'storeNo', label: '门店编号', width: 160 },
      { name: 'name', label: '名称', width: 240 },
      { name: 'phone', label: '电话', width: 140 },
      { name: 'fax', label: '传真', width: 140 },
    ],
  }),
  { type: 'kq-chart', dataset: 'institution.drugstore', stat: 'chain', title: '各连锁门店数' },
);

/** 新看板, half done: an error of seven rules. */
export const newBoard = page(
  '新看板',
  { type: 'iframe', body: '外部大屏' },
  { type: 'panel', title: '概况', boddy: [] },
  { type: 'service', api: 'https://example.com/stats', body: [] },
  { type: 'button', label: '刷新', visibleOn: 'data.total > 0' },
  { type: 'plain', text: '${ENCODEJSON(total)}' },
  { type: 'tpl', tpl: '<img src="banner.png">' },
  list('institution.hospital', 'hospitals', { columns: [{ name: 'hospitalName', label: '医院名称' }] }),
);
