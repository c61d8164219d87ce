// The corpus of definitions: what is taken, and one for each rule and attack that is not. Tests hold the check to it, the editor loads it
// under 示例.

export interface Sample {
  name: string;
  definition: unknown;
  /** Of a refused one. */
  fault?: { rule: string; pointer: string };
}

const page = (...body: readonly unknown[]) => ({ type: 'page', body });
const crud = (more: object = {}) => ({
  type: 'crud',
  api: '/ds/institution.hospital/list',
  placeholder: '没有数据',
  columns: [{ name: 'name', label: '名称' }],
  ...more,
});
const contact = '/ds/institution.hospital/action.contact';
const form = (more: object = {}) => ({ type: 'form', body: [{ type: 'input-text', name: 'phone', label: '电话' }], ...more });
const sends = { url: contact, data: { key: '${id}', version: '${version}', phone: '${phone}' } };
const button = (more: object) => ({ type: 'button', label: '按钮', ...more });
const opens = (record: string) => ({ type: 'kq-window', window: 'card.billLines', record, label: '打开', reload: 'list' });
const deep = (levels: number): unknown => (levels === 0 ? { type: 'divider' } : { type: 'wrapper', body: deep(levels - 1) });

const refused = (name: string, rule: string, pointer: string, definition: unknown): Sample => ({
  name,
  definition,
  fault: { rule, pointer },
});
const on = (name: string, rule: string, at: string, node: unknown) => refused(name, rule, `/body/0${at}`, page(node));

export const refusedSamples: readonly Sample[] = [
  refused('层级过深', 'V01', `/body/0${'/body'.repeat(38)}`, page(deep(60))),
  refused('节点过多', 'V01', '/body/4998', page(...Array.from({ length: 10_000 }, () => ({ type: 'divider' })))),
  on('文字过长', 'V01', '/title', { type: 'panel', title: '长'.repeat(4_001) }),
  refused('原型链名称', 'V01', '/body/0/data/constructor', page({ type: 'service', data: { ['constructor']: 1 }, body: [] })),
  refused('不是页面', 'V02', '', { type: 'crud' }),
  on('未知组件', 'V02', '/type', { type: 'crudd' }),
  on('HTML组件', 'V02', '/type', { type: 'html', body: 'x' }),
  on('内嵌网页', 'V02', '/type', { type: 'iframe' }),
  on('自定义组件', 'V02', '/type', { type: 'custom' }),
  on('代码编辑器', 'V02', '/type', { type: 'editor' }),
  on('公式项', 'V02', '/type', { type: 'formula', formula: 'x' }),
  on('富文本', 'V02', '/type', { type: 'input-rich-text' }),
  on('文件上传', 'V02', '/type', { type: 'input-file' }),
  on('图表脚本', 'V02', '/type', { type: 'chart' }),
  on('缺少类型', 'V02', '', { label: 'x' }),
  on('拼错的属性', 'V03', '/lable', button({ lable: 'x' })),
  on('动态结构', 'V03', '/schemaApi', { type: 'service', schemaApi: '/ds/a/list' }),
  on('数据脚本', 'V03', '/dataProvider', { type: 'service', dataProvider: 'setData({})' }),
  on('请求适配脚本', 'V03', '/api/adaptor', { type: 'service', api: { url: '/ds/institution.hospital/list', adaptor: 'return payload' } }),
  on('请求头', 'V03', '/api/headers', { type: 'service', api: { url: '/ds/institution.hospital/list', headers: { Authorization: 'x' } } }),
  on('网页套接字', 'V03', '/ws', { type: 'service', ws: 'wss://evil' }),
  on('引用', 'V03', '/$ref', { type: 'wrapper', $ref: 'x' }),
  on('自定义样式', 'V03', '/css', { type: 'wrapper', css: 'a{}' }),
  on('主题样式', 'V03', '/themeCss', { type: 'wrapper', themeCss: {} }),
  on('点击脚本', 'V03', '/onClick', button({ onClick: 'alert(1)' })),
  on('脚本属性', 'V03', '/script', button({ script: 'alert(1)' })),
  on('禁用日期脚本', 'V03', '/disabledDate', { type: 'input-date', name: 'x', disabledDate: 'return canary()' }),
  on('匹配脚本', 'V03', '/matchFunc', crud({ matchFunc: 'return canary()' })),
  on('选项过滤脚本', 'V03', '/filterOption', { type: 'select', name: 'x', filterOption: 'return canary()' }),
  on('切换脚本', 'V03', '/onSelect', { type: 'tabs', tabs: [], onSelect: 'canary()' }),
  on('头像出错脚本', 'V02', '/type', { type: 'avatar', onError: 'canary()' }),
  on('导航匹配脚本', 'V02', '/type', { type: 'nav', links: [], searchConfig: { matchFunc: 'return canary()' } }),
  on('日期换算脚本', 'V03', '/transform', { type: 'input-date', name: 'x', transform: 'return canary()' }),
  on('删除按钮脚本', 'V03', '/deleteBtn', { type: 'combo', name: 'x', items: [], deleteBtn: { onClick: 'canary()' } }),
  on('图标取网址', 'V03', '/icon', button({ icon: '/admin/UserInfoService/queryUserList' })),
  on('级别取网址', 'V03', '/level', { type: 'alert', level: 'x/../../admin.png', body: '请注意' }),
  on('外部地址', 'V04', '/api', { type: 'service', api: 'https://evil/x' }),
  on('脚本地址', 'V04', '/api', { type: 'service', api: 'js:/ds/a/list' }),
  on('接口地址', 'V04', '/api', { type: 'service', api: '/admin/UserInfoService/addUserInfo' }),
  on('地址中的表达式', 'V04', '/api', { type: 'service', api: '/ds/${x}/list' }),
  on('请求方式前缀', 'V04', '/api', { type: 'service', api: 'post:/ds/institution.hospital/list' }),
  on('没有的数据集', 'V04', '/api', crud({ api: '/ds/institution.hospitall/list' })),
  on('没有的操作', 'V04', '/api', form({ api: '/ds/institution.hospital/action.delete' })),
  on('查询处写数据', 'V04', '/api', { type: 'service', api: contact }),
  on('提交处查数据', 'V04', '/api', button({ actionType: 'ajax', api: '/ds/institution.hospital/list' })),
  on('选项来源外部地址', 'V04', '/source', { type: 'select', name: 'x', source: 'https://evil/options' }),
  on('旧式条件', 'V05', '/visibleOn', button({ visibleOn: 'data.x == 1' })),
  on('模板脚本', 'V05', '/tpl', { type: 'tpl', tpl: '<% alert(1) %>' }),
  on('读取本地存储', 'V05', '/label', button({ label: '${ls:Authorization}' })),
  on('读取窗口', 'V05', '/label', button({ label: '${window:parent}' })),
  on('读取Cookie', 'V05', '/label', button({ label: '${cookie:a}' })),
  on('构造函数', 'V05', '/label', button({ label: '${a.constructor}' })),
  on('方括号取构造函数', 'V05', '/label', button({ label: "${a['constructor']}" })),
  on('箭头函数', 'V05', '/label', button({ label: '${ARRAYINCLUDES(x, y => y)}' })),
  on('条件后多余文字', 'V05', '/hiddenOn', button({ hiddenOn: '${a}; alert(1)' })),
  on('写法不全', 'V05', '/label', button({ label: '${a' })),
  on('未列函数', 'V06', '/label', button({ label: '${ENCODEJSON(a)}' })),
  on('原样过滤器', 'V06', '/label', button({ label: '${a|raw}' })),
  on('映射过滤器', 'V06', '/label', button({ label: '${a|json}' })),
  on('只有值的模板', 'V07', '', { type: 'tpl', name: 'remark' }),
  on('图片标签', 'V07', '/tpl', { type: 'tpl', tpl: '<img src=x onerror=alert(1)>' }),
  on('标题中的标签', 'V07', '/title', { type: 'panel', title: '<b>x</b>' }),
  on('事件属性', 'V07', '/tpl', { type: 'tpl', tpl: '<b onclick="x">a</b>' }),
  on('样式名中的表达式', 'V07', '/className', { type: 'wrapper', className: '${x}' }),
  on('样式中的地址', 'V07', '/style/backgroundColor', { type: 'wrapper', style: { backgroundColor: 'url(https://evil)' } }),
  on('未列样式', 'V07', '/style/position', { type: 'wrapper', style: { position: 'fixed' } }),
  on('打开网址', 'V08', '/actionType', button({ actionType: 'url' })),
  on('自定义动作', 'V08', '/onEvent/click/actions/0/actionType', button({ onEvent: { click: { actions: [{ actionType: 'custom' }] } } })),
  on('外部链接', 'V09', '/href', { type: 'link', href: 'https://evil', body: 'x' }),
  on('未知页面', 'V09', '/link', button({ actionType: 'link', link: '/nosuchpage' })),
  on('没有的列', 'V10', '/columns/0/name', crud({ columns: [{ name: 'nam', label: '名称' }] })),
  on('没有的筛选', 'V10', '/filter/body/0/name', crud({ filter: { type: 'form', body: [{ type: 'input-text', name: 'nokey' }] } })),
  on('不能排序的列', 'V10', '/columns/0/sortable', crud({ columns: [{ name: 'region', label: '地区', sortable: true }] })),
  on('未指定记录', 'V10', '/api', form({ api: contact })),
  on('没有的输入项', 'V10', '/body/0/name', { type: 'form', api: sends, body: [{ type: 'input-text', name: 'phone2' }] }),
  on('没有变量的条件', 'V10', '/variables', { type: 'kq-condition', name: 'x' }),
  on('没有的变量类型', 'V10', '/variables/0/kind', {
    type: 'kq-condition',
    name: 'x',
    variables: [{ code: 'a', name: '甲', kind: 'JSON' }],
  }),
  on('没有的统计', 'V10', '/stat', { type: 'kq-chart', dataset: 'institution.hospital', stat: 'none' }),
  on('不能导入的数据集', 'V10', '/dataset', { type: 'kq-import', dataset: 'downloadCenter' }),
  on('没有审核轨迹的数据集', 'V10', '/dataset', { type: 'kq-timeline', dataset: 'downloadCenter' }),
  on('没有的选项', 'V10', '/options', { type: 'kq-picker', name: 'x', dataset: 'institution.hospital', options: 'none' }),
  on('没有的窗口', 'V10', '/window', { type: 'kq-window', window: 'none.none', record: 'id', label: '打开' }),
  on('没有记录的窗口', 'V10', '', { type: 'kq-window', window: 'card.billLines', label: '打开' }),
  on('多余记录的窗口', 'V10', '/record', { type: 'kq-window', window: 'order.shieldTest', record: 'id', label: '打开' }),
  on(
    '没有的记录列',
    'V10',
    '/columns/0/buttons/0/record',
    crud({ columns: [{ type: 'operation', label: '操作', buttons: [opens('nokey')] }] }),
  ),
  on('没有用途的上传', 'V10', '', { type: 'kq-file', name: 'x' }),
  on('手机号', 'V11', '/label', button({ label: '联系 13812345678' })),
  on('证件号', 'V11', '/label', button({ label: '330106199001011234' })),
];

const accepted = (name: string, ...body: readonly unknown[]): Sample => ({ name, definition: page(...body) });

export const acceptedSamples: readonly Sample[] = [
  accepted('空白页'),
  accepted('列表', crud()),
  accepted('带筛选的列表', crud({ filter: { title: '', body: [{ type: 'input-text', name: 'keyword', label: '关键字' }] } })),
  accepted('可排序的列表', crud({ columns: [{ name: 'name', label: '名称', sortable: true }], orderBy: 'name', orderDir: 'desc' })),
  accepted(
    '编码列',
    crud({
      columns: [
        { name: 'levelText', label: '等级' },
        { name: 'updatedAtText', label: '更新时间' },
      ],
    }),
  ),
  accepted('条件显示', button({ visibleOn: '${x == 1}' })),
  accepted('多个条件', button({ disabledOn: '${!a && (b > 1 || ISEMPTY(c))}' })),
  accepted('表单', form({ api: sends })),
  accepted('弹窗表单', button({ actionType: 'dialog', dialog: { title: '修改', body: form({ api: sends }) } })),
  accepted(
    '抽屉',
    button({
      actionType: 'drawer',
      drawer: { title: '${name}', body: { type: 'property', items: [{ label: '电话', content: '${phone}' }] } },
    }),
  ),
  accepted('导出', { type: 'kq-export', dataset: 'institution.hospital', label: '导出' }),
  accepted('统计图', { type: 'kq-chart', dataset: 'institution.hospital', stat: 'city', title: '各城市医院数' }),
  accepted('文字模板', { type: 'tpl', tpl: '<b class="x">${name}</b>：${phone | default:无}' }),
  accepted('过滤器', { type: 'plain', text: '${name | truncate:10 | html}' }),
  accepted('函数', { type: 'plain', text: '${IF(x > 1, CONCATENATE(a, b), TODAY())}' }),
  accepted('选项卡', {
    type: 'tabs',
    tabs: [
      { title: '医院', body: crud() },
      { title: '其他', body: '说明文字' },
    ],
  }),
  accepted('栅格', {
    type: 'grid',
    columns: [
      { md: 6, body: crud() },
      { md: 6, body: [] },
    ],
  }),
  accepted('步骤条', { type: 'steps', value: 1, steps: [{ title: '第一步' }, { title: '第二步' }] }),
  accepted('映射', { type: 'mapping', name: 'state', map: { ENABLED: '启用', '*': '其他' } }),
  accepted('提示', { type: 'alert', level: 'info', body: '请注意', showIcon: true }),
  accepted('链接', { type: 'link', href: '/hospitalList?id=${id}', body: '查看医院' }),
  accepted('事件', button({ onEvent: { click: { actions: [{ actionType: 'toast', args: { msg: '已点击' } }] } } })),
  accepted('日期范围', form({ body: [{ type: 'input-date-range', name: 'period', label: '期间', valueFormat: 'YYYY-MM-DD' }] })),
  accepted('金额', form({ body: [{ type: 'kq-money', name: 'amount', label: '金额' }] })),
  accepted('不针对记录的窗口', { type: 'kq-window', window: 'order.shieldTest', label: '试算' }),
  accepted('窗口', crud({ columns: [{ type: 'operation', label: '操作', buttons: [opens('id')] }] })),
  accepted('导入', { type: 'kq-import', dataset: 'institution.hospital', label: '导入' }),
  accepted('审核轨迹', { type: 'kq-timeline', dataset: 'institution.hospital' }),
  accepted(
    '宿主表单项',
    form({
      body: [
        { type: 'kq-region', name: 'adcode', label: '地区' },
        { type: 'kq-picker', name: 'hospitalId', label: '医院', dataset: 'institution.hospital', options: 'hospital' },
        { type: 'kq-file', name: 'files', label: '附件', purpose: 'PHARMA_PAPER', max: 3 },
        {
          type: 'kq-condition',
          name: 'rule',
          label: '适用条件',
          variables: [
            { code: 'patient.age', name: '年龄', kind: 'NUMBER', unit: '岁' },
            {
              code: 'order.channel',
              name: '订单来源',
              kind: 'OPTION',
              options: [
                { value: 'STORE', label: '门店' },
                { value: 'ONLINE', label: '线上' },
              ],
            },
          ],
        },
        { type: 'kq-scan', name: 'barcode', label: '条码', submitOnChange: true },
      ],
    }),
  ),
  accepted('自动刷新', {
    type: 'service',
    api: '/ds/institution.hospital/list',
    interval: 5000,
    silentPolling: true,
    body: [{ type: 'plain', text: '共${total}家' }],
  }),
];

/** As the editor loads them. */
export const samples: readonly { name: string; text: string }[] = [
  ...acceptedSamples.map(({ name, definition }) => ({ name: `可用：${name}`, text: JSON.stringify(definition, null, 2) })),
  ...refusedSamples
    .map(({ name, definition, fault }) => ({ name: `拒绝${fault?.rule ?? ''}：${name}`, text: JSON.stringify(definition, null, 2) }))
    // Larger than a draft may be.
    .filter(({ text }) => text.length < 200_000),
];
