import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { useState } from 'react';
import { showInstant } from '#kernel/contract/time.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import {
  changeQrCodeState,
  downloadQrCode,
  exportQrCodeList,
  previewQrCode,
  queryCommonQrCodeList,
  queryQrCodeDetail,
  type CodeRow,
} from '../../contract/calls/codes.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { codeStates } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { Thumb } from '../shared/Thumb.tsx';
import { refFilter } from '../shared/refFilter.tsx';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { CodeForm, CodePreview, History, ScanStat } from './lazyDialogs.ts';

/** What the dates and the limit make of a code in use. */
function Condition({ code }: { code: CodeRow }) {
  const now = new Date().toISOString();
  const word =
    code.state !== 'ACTIVE'
      ? null
      : code.channelState === 'DISABLED'
        ? '渠道已停用'
        : code.validTo !== null && code.validTo <= now
          ? '已过期'
          : code.validFrom !== null && code.validFrom > now
            ? '未开始'
            : code.scanLimit !== null && code.okCount >= code.scanLimit
              ? '次数已满'
              : null;
  return word ? <span className="kq-dict kq-dict-warning">{word}</span> : <Dict of={codeStates.dictionary} code={code.state} />;
}

const listOf = (open: (code: CodeRow) => void) =>
  resource(queryCommonQrCodeList, {
    routeKey: 'commonQRcode',
    empty: '没有符合条件的二维码，请调整筛选条件或点击“新增”',
    filters: [
      'name',
      'token',
      'batchNo',
      refFilter('channelId', 'CHANNEL'),
      { name: 'kind', fallback: () => ['COMMON'] },
      'targetType',
      'state',
      { kind: 'instants', names: ['scannedFrom', 'scannedTo'], label: '最近扫码' },
    ],
    columns: [
      { key: 'thumb', title: '缩略图', kind: 'custom', width: 72, render: (row) => <Thumb link={row.link} onClick={() => open(row)} /> },
      { key: 'name', width: 200, required: true },
      { key: 'token', width: 120, required: true },
      { key: 'kind', plain: true, width: 80 },
      { key: 'batchNo', width: 170 },
      { key: 'channelName', width: 170 },
      { key: 'targetType', plain: true },
      {
        key: 'validity',
        title: '有效期',
        width: 230,
        value: (row) =>
          `${row.validFrom ? showInstant(row.validFrom).slice(0, 16) : '立即'} 至 ${row.validTo ? showInstant(row.validTo).slice(0, 16) : '长期'}`,
      },
      { key: 'scans', title: 'PV/UV', width: 100, align: 'right', value: (row) => `${row.pv} / ${row.uv}` },
      'lastScanAt',
      { key: 'state', width: 110, render: (row) => <Condition code={row} /> },
    ],
  });

const nameOf = (row: CodeRow) => `${row.name}（${row.token}）`;

/** Tab 二维码. */
export function Codes() {
  const layers = useLayers();
  const preview = (code: CodeRow) =>
    layers.open((close) => (
      <CodePreview
        title={nameOf(code)}
        preview={previewQrCode}
        input={{ id: code.id }}
        download={downloadQrCode}
        fileOf={(format) => ({ codeIds: [code.id], format })}
        onClose={close}
      />
    ));
  const [list] = useState(() => listOf(preview));
  const change = useCommand(changeQrCodeState, { success: '操作成功!', refreshes: [queryCommonQrCodeList, queryQrCodeDetail] });
  const files = useSaveFile(downloadQrCode, { success: '已下载' });
  const move = (action: 'disable' | 'enable' | 'void') => async (row: CodeRow) => {
    const opinion = await askTransition(
      codeStates,
      action,
      `“${row.name}”`,
      factsIn(queryCommonQrCodeList.output, row, ['token', 'channelName', 'targetType', 'pv', 'lastScanAt']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const common = (row: CodeRow) => row.kind === 'COMMON';
  const actions: readonly RowAction<CodeRow>[] = [
    { label: '预览', act: preview },
    {
      label: '更换目标',
      permission: rights['code.edit'],
      when: (row) => common(row) && row.state !== 'VOID',
      act: (code) => layers.open((close) => <CodeForm code={code} channelId={null} onClose={close} />),
    },
    { label: '统计', act: (code) => layers.open((close) => <ScanStat codeIds={[code.id]} title={code.name} onClose={close} />) },
    { label: '变更记录', act: (code) => layers.open((close) => <History code={code} onClose={close} />) },
    {
      label: '停用',
      permission: rights['code.edit'],
      when: (row) => common(row) && codeStates.canStart('disable', row.state),
      act: move('disable'),
    },
    {
      label: '启用',
      permission: rights['code.edit'],
      when: (row) => common(row) && codeStates.canStart('enable', row.state),
      act: move('enable'),
    },
    {
      label: '作废',
      permission: rights['code.void'],
      when: (row) => common(row) && codeStates.canStart('void', row.state),
      danger: true,
      act: move('void'),
    },
    {
      label: '删除',
      permission: rights['code.edit'],
      when: (row) => common(row) && row.batchId === null && row.lastScanAt === null,
      danger: true,
      act: async (row) => {
        if (await confirmDelete(`二维码“${row.name}”（${row.token}）`))
          await change.run({ id: row.id, version: row.version, action: 'delete' });
      },
    },
  ];
  // What is fetched may be fetched again in another format: it stays ticked.
  const download = (format: 'PNG' | 'PDF') => async (rows: readonly CodeRow[]) => {
    await files.save({ codeIds: rows.map(({ id }) => id), format });
    return false;
  };
  return (
    <>
      <ResourceList
        of={list}
        actions={actions}
        batch={[
          { label: '下载', nameOf, all: download('PNG') },
          { label: '下载PDF', nameOf, all: download('PDF') },
          {
            label: '对比统计',
            nameOf,
            dialog: (codes, layer) => (
              <ScanStat
                codeIds={codes.slice(0, 5).map(({ id }) => id)}
                title={codes
                  .slice(0, 5)
                  .map(({ name }) => name)
                  .join('、')}
                onClose={layer.close}
              />
            ),
          },
          {
            label: '批量停用',
            permission: rights['code.edit'],
            danger: true,
            nameOf,
            when: (row) => common(row) && codeStates.canStart('disable', row.state),
            each: (row) => send(changeQrCodeState, { id: row.id, version: row.version, action: 'disable' }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={rights['code.edit']}>
              <Button type="primary" onClick={() => layers.open((close) => <CodeForm code={null} channelId={null} onClose={close} />)}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportQrCodeList} view={view} permission={rights['code.export']} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
