import { Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import type { OutputOf } from '#kernel/contract/call.ts';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { SERVER_MESSAGE, useCommand, useData } from '#kernel/web/http/queries.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { ColumnChoice } from '#kernel/web/list/columnsOf.ts';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { showInstant } from '#kernel/contract/time.ts';
import { deleteFile, queryFileObjectList, queryFilePurposes } from '../../contract/calls/objects.ts';
import { filePermissions } from '../../contract/permissions.ts';
import { fileMachine } from '../../contract/states.ts';
import { saveFile } from '../preview/saveFile.ts';
import { fileSize } from './format.tsx';

type FileRow = OutputOf<typeof queryFileObjectList>;

const columns: readonly ColumnChoice<FileRow>[] = [
  { key: 'fileNo', width: 164, required: true },
  { key: 'fileName', width: 240 },
  { key: 'purposeLabel', width: 190 },
  { key: 'detectedType', width: 70 },
  { key: 'size', width: 90, align: 'right', value: (file) => fileSize(file.size) },
  {
    key: 'state',
    width: 200,
    render: (file) => (
      <span title={file.rejectReason ?? undefined}>
        <span className={`kq-dict kq-dict-${fileMachine.dictionary.tone(file.state)}`}>{fileMachine.dictionary.label(file.state)}</span>{' '}
        {file.rejectReason}
      </span>
    ),
  },
  { key: 'source', plain: true, width: 90 },
  { key: 'createdName', width: 100 },
  'createdAt',
  {
    key: 'links',
    width: 160,
    render: ({ links }) =>
      links.length === 0 ? (
        '无'
      ) : (
        <Tooltip title={links.map(({ ownerType, ownerId, field }) => `${ownerType} ${ownerId}（${field}）`).join('；')}>
          <Tag>{links.length}处引用</Tag>
        </Tooltip>
      ),
  },
  { key: 'retainUntil', width: 168, value: (file) => (file.legalHold ? '法定保留' : file.retainUntil && showInstant(file.retainUntil)) },
];

/** In use, under legal hold or in retention: the server would refuse. */
const isRemovable = (file: FileRow) =>
  (file.state === 'READY' || file.state === 'REJECTED') &&
  file.links.length === 0 &&
  !file.legalHold &&
  (file.retainUntil === null || Date.parse(file.retainUntil) <= Date.now());

const isReady = (file: FileRow) =>
  file.state === 'READY' && (file.source === 'UPLOAD' || file.source === 'SYSTEM' || file.source === 'PUSH');

/** Tab 文件. */
export function Files() {
  const { open, shown } = useLayers();
  const { data: purposes } = useData(queryFilePurposes, {}, { fresh: 3_600_000 });
  const remove = useCommand(deleteFile, { success: SERVER_MESSAGE, refreshes: [queryFileObjectList], blockMs: 500 });
  const { run } = remove;
  const files = useMemo(
    () =>
      resource(queryFileObjectList, {
        routeKey: 'downloadList:files',
        rowKey: 'fileId',
        columns,
        filters: [
          'fileNo',
          'fileName',
          { kind: 'select', name: 'purpose', options: (purposes ?? []).map(({ code, label }) => ({ value: code, label })) },
          'state',
          'createdBy',
          { kind: 'instants', names: ['from', 'to'], label: '上传时间' },
          'linked',
        ],
        empty: '没有符合条件的文件',
      }),
    [purposes],
  );
  const actions = useMemo(
    () => [
      {
        label: '预览',
        when: isReady,
        act: (file: FileRow): unknown => open((close) => <FilePreview files={[{ ...file, pageCount: null }]} onClose={close} />),
      },
      { label: '下载', when: isReady, act: (file: FileRow): unknown => saveFile({ fileId: file.fileId }) },
      {
        label: '删除',
        danger: true,
        permission: filePermissions['object.remove'],
        when: isRemovable,
        act: async (file: FileRow): Promise<unknown> => {
          return (await confirmDelete(`文件“${file.fileName}”`)) && run({ fileId: file.fileId });
        },
      },
    ],
    [open, run],
  );
  return (
    <>
      <ResourceList of={files} actions={actions} />
      {shown}
    </>
  );
}
