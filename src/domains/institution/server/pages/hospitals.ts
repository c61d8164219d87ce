import type { BuiltinPage } from '../../../../kernel/server/datasets/dataset.ts';
import { hospitalKinds, hospitalLevels, hospitalSources, ownerships, qualityIssues } from '../../contract/dictionaries.ts';
import { hospitalMachine } from '../../contract/states.ts';

const options = (dictionary: { options: readonly { value: string; label: string }[] }) =>
  dictionary.options.map(({ value, label }) => ({ value, label }));
const choice = (name: string, label: string, from: Parameters<typeof options>[0]) => ({
  type: 'select',
  name,
  label,
  multiple: true,
  clearable: true,
  joinValues: false,
  extractValue: true,
  options: options(from),
});

/** /tHospital 医院数据: the hospitals of insurance's system configuration. */
export const hospitalPage: BuiltinPage = {
  token: 'tHospital',
  description: '医院主数据查询，可修改电话、官网和简介',
  definition: {
    type: 'page',
    body: [
      {
        type: 'crud',
        name: 'hospitals',
        api: '/ds/institution.hospital/list',
        perPage: 20,
        primaryField: 'id',
        placeholder: '没有符合条件的医院',
        syncLocation: true,
        filter: {
          title: '',
          mode: 'horizontal',
          wrapWithPanel: false,
          className: 'kq-filter',
          body: [
            {
              type: 'group',
              body: [
                { type: 'input-text', name: 'keyword', label: '关键字', placeholder: '名称、别名或拼音首字母', clearable: true },
                { type: 'input-text', name: 'hospitalNo', label: '医院编号', clearable: true },
                choice('level', '等级', hospitalLevels),
                choice('kind', '类型', hospitalKinds),
              ],
            },
            {
              type: 'group',
              body: [
                { type: 'select', name: 'ownership', label: '性质', clearable: true, options: options(ownerships) },
                choice('state', '状态', hospitalMachine.dictionary),
                choice('issue', '质量问题', qualityIssues),
                { type: 'select', name: 'source', label: '来源', clearable: true, options: options(hospitalSources) },
              ],
            },
            {
              type: 'group',
              body: [
                { type: 'input-text', name: 'uscc', label: '信用代码', clearable: true },
                { type: 'input-date-range', name: 'updated', label: '更新时间', valueFormat: 'YYYY-MM-DD', clearable: true },
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
        },
        headerToolbar: [
          { type: 'kq-export', dataset: 'institution.hospital', label: '导出', align: 'right' },
          { type: 'columns-toggler', align: 'right' },
          'reload',
        ],
        footerToolbar: ['statistics', 'switch-per-page', 'pagination'],
        perPageAvailable: [10, 20, 50, 100],
        columns: [
          { name: 'hospitalNo', label: '医院编号', width: 160, sortable: true, fixed: 'left' },
          { name: 'name', label: '医院名称', width: 240, sortable: true, fixed: 'left' },
          { name: 'levelText', label: '等级', width: 90 },
          { name: 'kindText', label: '类型', width: 110 },
          { name: 'ownershipText', label: '性质', width: 80 },
          { name: 'region', label: '地区', width: 180 },
          { name: 'address', label: '地址', width: 220, toggled: false },
          { name: 'phone', label: '电话', width: 130 },
          { name: 'website', label: '官网', width: 180, toggled: false },
          { name: 'uscc', label: '统一社会信用代码', width: 180 },
          { name: 'licenceNo', label: '许可证号', width: 190, toggled: false },
          { name: 'licenceValidToText', label: '许可证有效期', width: 110, toggled: false },
          { name: 'nhsaCode', label: '医保编码', width: 130 },
          { name: 'parentName', label: '所属主院', width: 200, toggled: false },
          { name: 'departmentCount', label: '科室数', width: 80, align: 'right' },
          { name: 'doctorCount', label: '医生数', width: 80, align: 'right', sortable: true },
          { name: 'qualityScoreBpText', label: '数据质量', width: 90, align: 'right', sortable: true },
          { name: 'qualityIssuesText', label: '质量问题', width: 180 },
          { name: 'sourceText', label: '来源', width: 100, toggled: false },
          { name: 'stateText', label: '状态', width: 80, type: 'tag', color: "${state == 'ENABLED' ? 'success' : 'inactive'}" },
          { name: 'updatedAtText', label: '更新时间', width: 160, sortable: true },
          {
            type: 'operation',
            label: '操作',
            width: 170,
            fixed: 'right',
            buttons: [
              {
                type: 'button',
                label: '详情',
                level: 'link',
                actionType: 'drawer',
                drawer: {
                  title: '${name}',
                  size: 'md',
                  closeOnOutside: true,
                  actions: [],
                  body: {
                    type: 'property',
                    column: 2,
                    items: [
                      { label: '医院编号', content: '${hospitalNo}' },
                      { label: '等级', content: '${levelText}' },
                      { label: '类型', content: '${kindText}' },
                      { label: '性质', content: '${ownershipText}' },
                      { label: '地区', content: '${region}' },
                      { label: '地址', content: '${address}' },
                      { label: '电话', content: '${phone}' },
                      { label: '官网', content: '${website}' },
                      { label: '统一社会信用代码', content: '${uscc}' },
                      { label: '许可证号', content: '${licenceNo}' },
                      { label: '医保编码', content: '${nhsaCode}' },
                      { label: '来源', content: '${sourceText}' },
                      { label: '简介', content: '${introduction}', span: 2 },
                    ],
                  },
                },
              },
              {
                type: 'button',
                label: '修改联系方式',
                level: 'link',
                visibleOn: "${ARRAYINCLUDES(allowedActions, 'contact')}",
                actionType: 'dialog',
                dialog: {
                  title: '修改联系方式',
                  body: {
                    type: 'form',
                    mode: 'horizontal',
                    api: {
                      url: '/ds/institution.hospital/action.contact',
                      data: {
                        key: '${id}',
                        version: '${version}',
                        phone: '${phone}',
                        website: '${website}',
                        introduction: '${introduction}',
                      },
                    },
                    reload: 'hospitals',
                    body: [
                      { type: 'static', name: 'name', label: '医院' },
                      { type: 'input-text', name: 'phone', label: '电话', maxLength: 40, placeholder: '0571-87065701' },
                      { type: 'input-text', name: 'website', label: '官网', maxLength: 200, placeholder: 'https://' },
                      { type: 'textarea', name: 'introduction', label: '简介', maxLength: 2000, showCounter: true, minRows: 4 },
                    ],
                  },
                },
              },
            ],
          },
        ],
      },
    ],
  },
};
