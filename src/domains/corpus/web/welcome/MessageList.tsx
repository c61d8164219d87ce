import { Button } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { RowAction } from '#kernel/web/kit/columns.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { corpusPermissions as may } from '../../contract/permissions.ts';
import { exportWelcomeMessageList, queryWelcomeMessageList, type WelcomeRow } from '../../contract/welcome/calls.ts';
import {
  autoActions,
  autoKind,
  autoMachine,
  autoScope,
  autoTrigger,
  isEditable,
  scopesOf,
  triggersOf,
  type AutoKind,
} from '../../contract/welcome/dictionaries.ts';
import { useMessageActions } from './useMessageActions.ts';

const MessageForm = lazy(() => import('./MessageForm.tsx'));
const MessageDrawer = lazy(() => import('./MessageDrawer.tsx'));
const ResolveDialog = lazy(() => import('./ResolveDialog.tsx'));

const listOf = (kind: AutoKind) =>
  resource(queryWelcomeMessageList, {
    routeKey: kind === 'WELCOME' ? 'welcomeMessage' : 'welcomeMessage:notice',
    empty: `没有符合条件的${autoKind.label(kind)}，请调整筛选条件或点击“新增${autoKind.label(kind)}”`,
    filters: [
      'name',
      {
        kind: 'select',
        name: 'triggerType',
        several: true,
        options: triggersOf(kind).map((value) => ({ value, label: autoTrigger.label(value) })),
      },
      {
        kind: 'select',
        name: 'scopeType',
        several: true,
        options: scopesOf(kind).map((value) => ({ value, label: autoScope.label(value) })),
      },
      'state',
    ],
    columns: [
      'name',
      'triggerType',
      'valid',
      'recent',
      'scope',
      'summary',
      'delay',
      'quietMode',
      'state',
      { key: 'updatedAt', hidden: true },
    ],
  });
const lists = { WELCOME: listOf('WELCOME'), NOTICE: listOf('NOTICE') } as const;

const address = { messageId: param.optional() };

/** Messages of one kind. */
export function MessageList({ kind }: { kind: AutoKind }) {
  const [{ messageId }, setAddress] = useAddress(address);
  const layers = useLayers();
  const write = (row: WelcomeRow | null, copy = false) =>
    layers.open((close) => <MessageForm kind={kind} row={row} copy={copy} onClose={close} />);
  const messageActions = useMessageActions();
  const fixed = useMemo(() => ({ kind }), [kind]);
  const actions: readonly RowAction<WelcomeRow>[] = [
    {
      label: '编辑',
      permission: may['welcome.edit'],
      when: (row) => isEditable(row.state),
      act: (row) => write(row),
    },
    ...autoActions.map((action): RowAction<WelcomeRow> => ({
      label: autoMachine.transitions[action].label,
      danger: autoMachine.transitions[action].danger ?? false,
      when: (row) => row.allowedActions.includes(action),
      act: (row) => messageActions.take(row, action),
    })),
    { label: '复制', permission: may['welcome.edit'], act: (row) => write(row, true) },
    {
      label: '删除',
      permission: may['welcome.edit'],
      danger: true,
      when: (row) => row.state === 'DRAFT',
      act: messageActions.remove,
    },
  ];
  return (
    <>
      <ResourceList
        of={lists[kind]}
        fixed={fixed}
        actions={actions}
        onRowClick={(row) => setAddress({ messageId: row.id })}
        toolbar={(view) => (
          <>
            <Can permission={may['welcome.edit']}>
              <Button type="primary" onClick={() => write(null)}>
                新增{autoKind.label(kind)}
              </Button>
            </Can>
            <Button onClick={() => layers.open((close) => <ResolveDialog kind={kind} onClose={close} />)}>命中测试</Button>
            <ExportButton call={exportWelcomeMessageList} view={view} permission={may['corpus.export']} />
          </>
        )}
      />
      <Suspense fallback={null}>
        {messageId !== undefined && <MessageDrawer key={messageId} id={messageId} onClose={() => setAddress({ messageId: undefined })} />}
      </Suspense>
      {layers.shown}
    </>
  );
}
