import { Button, Tag } from 'antd';
import { lazy } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { toast } from '#kernel/web/feedback/toast.ts';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { send } from '#kernel/web/http/client.ts';
import { saveBlob } from '#kernel/web/http/download.ts';
import { refresh, SERVER_MESSAGE, useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PageLink } from '#kernel/web/kit/PageLink.tsx';
import { goTo } from '#kernel/web/router/navigate.ts';
import { permittedKeys } from '#kernel/web/session/guards.ts';
import { useSession } from '#kernel/web/session/store.ts';
import { Dict } from '#kernel/web/kit/values.tsx';
import {
  discardDraft,
  editPage,
  exportPage,
  exportPageList,
  lockPage,
  offlinePage,
  queryPageList,
  recheckPages,
  removePage,
  unlockPage,
  type PageRow,
} from '../../contract/calls/pages.ts';
import { queryPageVersion } from '../../contract/calls/versions.ts';
import { pageHealth } from '../../contract/dictionaries.ts';
import { lowcodePermissions as may } from '../../contract/permissions.ts';

const PageForm = lazy(async () => ({ default: (await import('./PageForm.tsx')).PageForm }));
const Versions = lazy(async () => ({ default: (await import('./Versions.tsx')).Versions }));
const Catalogue = lazy(async () => ({ default: (await import('./Catalogue.tsx')).Catalogue }));

/** Whether the menu of the present role names the page: only then it opens. */
const isInMenu = (token: string) => permittedKeys(useSession.getState().userRoleMenu).has(token);

const pages = resource(queryPageList, {
  routeKey: 'amisPageV1',
  columns: [
    {
      key: 'token',
      value: ({ token }) => token,
      render: (row) => (row.state === 'ONLINE' && isInMenu(row.token) ? <PageLink to={`/${row.token}`}>{row.token}</PageLink> : row.token),
    },
    'title',
    'ownerDomain',
    { key: 'builtin', render: ({ builtin }) => (builtin ? <Tag>内置</Tag> : null) },
    'permissionLabel',
    'state',
    { key: 'publishedNo', render: ({ publishedNo }) => (publishedNo === null ? '—' : `v${publishedNo}`) },
    'publishedByName',
    'publishedAt',
    {
      key: 'draftNo',
      render: ({ draftNo, draftErrors }) =>
        draftNo === null ? '—' : draftErrors ? <span className="lc-bad">{`v${draftNo}（${draftErrors}处错误）`}</span> : `v${draftNo}`,
    },
    'draftByName',
    {
      key: 'health',
      render: ({ health, faults }) =>
        health === 'OK' ? <Dict of={pageHealth} code={health} /> : <span className="lc-bad">{`数据集已变更 ${faults}处`}</span>,
    },
    'datasets',
    'views30d',
    'lockedByName',
    'updatedAt',
  ],
  filters: ['token', 'title', 'ownerDomain', 'state', 'health', 'datasetCode', 'hasDraft', 'editedBy'],
  empty: '没有低代码页面，点击“新建页面”开始',
});

const refreshes = [queryPageList];

/** Lets the browser save what is stored of a page, to be imported elsewhere. */
async function saveJson(page: PageRow): Promise<void> {
  const exported = await send(exportPage, { id: page.id });
  saveBlob(new Blob([JSON.stringify(exported, null, 2)], { type: 'application/json' }), `${page.token}.json`);
  toast('导出成功');
}

/** The list of pages with what may be done with them. */
export function PageDesk({ onEdit }: { onEdit(pageId: string, versionId: string): void }) {
  const layers = useLayers();
  const draft = useCommand(editPage, { refreshes });
  const offline = useCommand(offlinePage, { success: SERVER_MESSAGE, refreshes });
  const lock = useCommand(lockPage, { success: SERVER_MESSAGE, refreshes });
  const unlock = useCommand(unlockPage, { success: SERVER_MESSAGE, refreshes });
  const remove = useCommand(removePage, { success: '删除成功!', refreshes });
  const discard = useCommand(discardDraft, { success: '删除成功!', refreshes });
  const recheck = useCommand(recheckPages, { success: SERVER_MESSAGE, refreshes });

  const openForm = (of: 'add' | 'import' | PageRow | { copyOf: PageRow }) =>
    layers.open((close) => (
      <PageForm
        of={of}
        onClose={close}
        onMade={(id, versionId) => {
          close();
          onEdit(id, versionId);
        }}
      />
    ));
  const showVersions = (page: PageRow) =>
    layers.open((close) => (
      <Versions
        page={page}
        onEdit={onEdit}
        onClose={() => {
          close();
          void refresh(queryPageList);
        }}
      />
    ));
  const edit = async (page: PageRow) => {
    if (page.draftVersionId !== null) return onEdit(page.id, page.draftVersionId);
    const answer = await draft.run({ pageId: page.id });
    if (answer) onEdit(page.id, answer.data.versionId);
  };
  const judged = (title: string, act: typeof offline) => async (page: PageRow) => {
    const opinion = await confirmWithOpinion({
      title,
      content: `确定${title}页面“${page.title}”?`,
      facts: factsIn(queryPageList.output, page, ['token', 'ownerDomain', 'publishedNo', 'views30d', 'lockedByName']),
      opinion: 'required',
    });
    if (opinion) await act.run({ id: page.id, version: page.version, opinion });
  };
  const can = (action: string) => (page: PageRow) => page.allowedActions.includes(action);

  const actions: readonly RowAction<PageRow>[] = [
    { label: '编辑', permission: may['page.edit'], when: can('draft'), act: edit },
    { label: '版本', act: showVersions },
    {
      label: '打开',
      when: ({ state, token }) => state === 'ONLINE' && isInMenu(token),
      act: ({ token }) => goTo(`/${token}`),
    },
    { label: '修改信息', permission: may['page.edit'], when: can('modify'), act: openForm },
    { label: '复制为新页面', permission: may['page.edit'], act: (page) => openForm({ copyOf: page }) },
    { label: '导出JSON', act: saveJson },
    {
      label: '加入菜单',
      permission: 'identity.menu.edit',
      when: ({ state, token }) => state === 'ONLINE' && !isInMenu(token),
      act: ({ token }) => goTo('/menuManagement', { routeKey: token }),
    },
    { label: '锁定', permission: may['page.publish'], when: can('lock'), act: judged('锁定', lock) },
    { label: '解锁', permission: may['page.publish'], when: can('unlock'), act: judged('解锁', unlock) },
    { label: '下线', permission: may['page.publish'], danger: true, when: can('offline'), act: judged('下线', offline) },
    {
      label: '放弃草稿',
      permission: may['page.edit'],
      danger: true,
      when: ({ draftVersionId, lockedByName }) => draftVersionId !== null && lockedByName === null,
      async act(page) {
        if (
          page.draftVersionId === null ||
          !(await confirmDelete(`页面“${page.title}”的草稿v${page.draftNo ?? ''}`, [
            page.publishedNo === null ? null : `已发布的v${page.publishedNo}不受影响`,
          ]))
        )
          return;
        const { rowVersion } = await send(queryPageVersion, { versionId: page.draftVersionId });
        await discard.run({ pageId: page.id, versionId: page.draftVersionId, rowVersion });
      },
    },
    { label: '删除', permission: may['page.remove'], danger: true, when: can('remove'), act: judged('删除', remove) },
  ];
  return (
    <>
      <ResourceList
        of={pages}
        actions={actions}
        toolbar={(view) => (
          <>
            <Can permission={may['page.edit']}>
              <Button type="primary" onClick={() => openForm('add')}>
                新建页面
              </Button>
              <Button onClick={() => openForm('import')}>导入JSON</Button>
            </Can>
            <Button onClick={() => layers.open((close) => <Catalogue onClose={close} />)}>数据集目录</Button>
            <Can permission={may['page.edit']}>
              <Button onClick={() => void recheck.run({})}>全部重新校验</Button>
            </Can>
            <ExportButton call={exportPageList} view={view} />
          </>
        )}
      />
      {layers.shown}
    </>
  );
}
