import { Button } from 'antd';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Suspense, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { copyText } from '#kernel/web/feedback/copy.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { usePage } from '#kernel/web/tabs/page.tsx';
import {
  changeSceneCodeState,
  downloadSceneCode,
  exportSceneCodeList,
  previewSceneCode,
  querySceneCodeList,
  type SceneCodeRow,
} from '../../contract/calls/scenes.ts';
import { chatFlags, sceneEntries } from '../../contract/dictionaries.ts';
import { channelPermissions as rights } from '../../contract/permissions.ts';
import { sceneCodeStates } from '../../contract/states.ts';
import { askTransition } from '#kernel/web/feedback/askTransition.ts';
import { Thumb } from '../shared/Thumb.tsx';
import { refFilter } from '../shared/refFilter.tsx';
import { useSaveFile } from '#kernel/web/files/saveFile.ts';
import { CodePreview, SceneCodeAdd, SceneCodeEdit } from './lazyDialogs.ts';

const listOf = (open: (row: SceneCodeRow) => void) =>
  resource(querySceneCodeList, {
    routeKey: 'sceneCode',
    empty: '没有符合条件的场景码，请调整筛选条件或点击“新增”',
    filters: [
      'sceneCodeNo',
      'sceneName',
      'diseaseName',
      refFilter('channelId', 'CHANNEL'),
      refFilter('doctorId', 'DOCTOR'),
      'hospitalName',
      refFilter('agentId', 'AGENT'),
      'state',
      'abnormal',
      { kind: 'instants', names: ['from', 'to'], label: '创建时间' },
    ],
    columns: [
      { key: 'thumb', title: '缩略图', kind: 'custom', width: 72, render: (row) => <Thumb link={row.link} onClick={() => open(row)} /> },
      { key: 'sceneCodeNo', width: 170, required: true },
      {
        key: 'scene',
        title: '场景/病种',
        width: 200,
        required: true,
        value: (row) => [row.sceneName, row.diseaseName].filter(Boolean).join(' · '),
      },
      { key: 'chatFlag', width: 110, value: (row) => (row.chatFlag === null ? '' : chatFlags[row.chatFlag]) },
      { key: 'channelName', width: 170 },
      { key: 'doctor', title: '医生', width: 190, value: (row) => [row.doctorName, row.hospitalName].filter(Boolean).join(' · ') },
      { key: 'assistantName', width: 100 },
      { key: 'entry', width: 150, value: (row) => [sceneEntries.label(row.entry), row.itemName].filter(Boolean).join('：') },
      {
        key: 'numbers',
        title: '扫码/注册/首单',
        width: 130,
        align: 'right',
        value: (row) => `${row.pv} / ${row.registered} / ${row.firstOrders}`,
      },
      { key: 'state', width: 90 },
      {
        key: 'problems',
        width: 150,
        render: (row) =>
          row.problems.map((problem) => (
            <span key={problem} className="kq-dict kq-dict-error">
              {problem}
            </span>
          )),
      },
      'createdAt',
    ],
  });

/** /sceneCode 场景码. */
export default function SceneCode() {
  const { path, search } = usePage();
  const newFor = typeof search['newFor'] === 'string' ? search['newFor'] : null;
  const [adding, setAdding] = useState(newFor !== null);
  const layers = useLayers();
  const edit = (row: SceneCodeRow) => layers.open((close) => <SceneCodeEdit row={row} onClose={close} />);
  const [shown, setShown] = useState<SceneCodeRow | null>(null);
  const [list] = useState(() => listOf(setShown));
  const change = useCommand(changeSceneCodeState, { success: '操作成功!', refreshes: [querySceneCodeList] });
  const files = useSaveFile(downloadSceneCode, { success: '已下载' });
  const move = (action: 'disable' | 'enable' | 'void') => async (row: SceneCodeRow) => {
    const opinion = await askTransition(
      sceneCodeStates,
      action,
      `“${row.sceneCodeNo}”`,
      factsIn(querySceneCodeList.output, row, ['sceneName', 'channelName', 'doctorName', 'pv', 'registered']),
    );
    if (opinion !== null) await change.run({ id: row.id, version: row.version, action, ...(opinion && { opinion }) });
  };
  const can = (action: 'disable' | 'enable' | 'void') => (row: SceneCodeRow) => sceneCodeStates.canStart(action, row.state);
  // What is fetched may be fetched again in another format: it stays ticked.
  const download = (format: 'PNG' | 'PDF') => async (rows: readonly SceneCodeRow[]) => {
    await files.save({ ids: rows.map(({ id }) => id), format });
    return false;
  };
  const nameOf = (row: SceneCodeRow) => row.sceneCodeNo;
  const actions: readonly RowAction<SceneCodeRow>[] = [
    { label: '预览', act: setShown },
    { label: '下载', act: (row) => files.save({ ids: [row.id], format: 'PNG' }) },
    { label: '复制链接', act: (row) => void copyText(row.link, '已复制链接') },
    { label: '编辑', permission: rights['scene.edit'], when: (row) => row.state !== 'VOID', act: edit },
    { label: '停用', permission: rights['scene.edit'], when: can('disable'), act: move('disable') },
    { label: '启用', permission: rights['scene.edit'], when: can('enable'), act: move('enable') },
    { label: '作废', permission: rights['scene.edit'], when: can('void'), danger: true, act: move('void') },
  ];
  const close = () => {
    setAdding(false);
    if (newFor) goTo(path, { ...search, newFor: undefined }, { replace: true });
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
            label: '批量停用',
            permission: rights['scene.edit'],
            danger: true,
            nameOf,
            when: can('disable'),
            each: (row) => send(changeSceneCodeState, { id: row.id, version: row.version, action: 'disable' }, { quiet: true }),
          },
        ]}
        toolbar={(view) => (
          <>
            <Can permission={rights['scene.edit']}>
              <Button type="primary" onClick={() => setAdding(true)}>
                新增
              </Button>
            </Can>
            <ExportButton call={exportSceneCodeList} view={view} permission={rights['scene.export']} />
          </>
        )}
      />
      {layers.shown}
      <Suspense fallback={null}>
        {adding && <SceneCodeAdd channelId={newFor} onClose={close} />}
        {shown && (
          <CodePreview
            title={shown.sceneCodeNo}
            preview={previewSceneCode}
            input={{ id: shown.id }}
            download={downloadSceneCode}
            fileOf={(format) => ({ ids: [shown.id], format })}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
    </>
  );
}
