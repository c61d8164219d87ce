import type { PageWindow } from '#kernel/contract/pageWindow.ts';
import type { BuiltinPage } from '#kernel/server/datasets/dataset.ts';
import { allows, choice, listPage, type Part } from '#kernel/server/datasets/pageParts.ts';
import { shieldScopes, shieldStatuses } from '../../contract/dictionaries.ts';
import { shieldWindows } from '../../contract/pageWindows.ts';

const SHIELDS = 'shieldAddCartGoodsConfig';
const opens = (window: PageWindow, label: string, more: Part): Part => ({ type: 'kq-window', window: window.name, label, ...more });

/** What is done with a row at once. */
const act = (code: string, label: string, more: Part = {}): Part => ({
  type: 'button',
  label,
  level: 'link',
  visibleOn: allows(code),
  actionType: 'ajax',
  api: { url: `/ds/${SHIELDS}/action.${code}`, data: { key: '${id}', version: '${version}' } },
  reload: 'shields',
  ...more,
});
const batch = (code: string, label: string): Part => ({
  type: 'button',
  label,
  actionType: 'ajax',
  confirmText: `确定要${label}所选设置吗?`,
  api: { url: `/ds/${SHIELDS}/action.${code}`, data: { keys: '${ids}' } },
  reload: 'shields',
});

/** /shieldAddCartGoodsConfig 隐藏加购设置. */
export const shieldPage: BuiltinPage = {
  token: 'shieldAddCartGoodsConfig',
  description: '用户端隐藏“加入购物车”按钮的商品，可按产品、城市、渠道设置并试算',
  definition: listPage({
    name: 'shields',
    dataset: SHIELDS,
    placeholder: '没有符合条件的设置',
    search: [
      [
        { type: 'input-text', name: 'goods', label: '商品', placeholder: '名称或编码', clearable: true },
        choice('scope', '范围', shieldScopes),
        choice('status', '状态', shieldStatuses),
      ],
    ],
    toolbar: [
      opens(shieldWindows.add, '新增', { level: 'primary', reload: 'shields' }),
      opens(shieldWindows.test, '试算', {}),
      { type: 'kq-import', dataset: SHIELDS, label: '导入', reload: 'shields' },
    ],
    bulkActions: [batch('enableBatch', '批量启用'), batch('disableBatch', '批量停用')],
    columns: [
      { name: 'goodsCode', label: '商品编码', width: 110, sortable: true, fixed: 'left' },
      { name: 'goodsName', label: '商品名称', width: 190 },
      { name: 'statusText', label: '状态', width: 80 },
      { name: 'scopeText', label: '范围', width: 90 },
      { name: 'scopeWords', label: '范围值', width: 180 },
      { name: 'displayText', label: '替代文案', width: 120 },
      { name: 'reason', label: '原因', width: 180 },
      { name: 'effectiveFromText', label: '生效日期', width: 110, sortable: true },
      { name: 'effectiveToText', label: '失效日期', width: 110 },
      { name: 'updatedBy', label: '修改人', width: 90 },
      { name: 'updatedAtText', label: '修改时间', width: 150, sortable: true },
    ],
    row: {
      width: 150,
      buttons: [
        opens(shieldWindows.edit, '编辑', { record: 'id', level: 'link', reload: 'shields' }),
        act('enable', '启用'),
        act('disable', '停用'),
        act('del', '删除', { level: 'link text-danger', confirmText: '此操作将永久删除该文件, 是否继续?' }),
      ],
    },
  }),
};
