import { Drawer } from 'antd';
import { lazy, Suspense, useRef } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { lazyDialog } from '#kernel/web/kit/lazyDialog.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { queryProductVersionDetail } from '../../contract/products/calls.ts';
import './versions.css';

const VersionEditor = lazyDialog(async () => (await import('./VersionEditor.tsx')).VersionEditor);
const VersionView = lazy(async () => ({ default: (await import('./VersionView.tsx')).VersionView }));

interface DeskProps {
  versionId: string;
  mode: 'view' | 'edit';
  onMode(mode: 'view' | 'edit'): void;
  onClose(): void;
}

/** One version over the whole page: `?versionId=&mode=`. What is handed in or published is read, never written. */
export function VersionDesk({ versionId, mode, onMode, onClose }: DeskProps) {
  const query = useData(queryProductVersionDetail, { productVersionId: versionId }, { quiet: true });
  const { data, error, readHere, refetch } = query;
  const editable = data?.head.allowedActions.includes('modify') ?? false;
  // The editor begins with one reading: another one, after a colleague's change, must not exchange what is being written.
  const first = useRef<typeof data>(undefined);
  if (mode === 'edit' && editable && readHere) first.current ??= data;
  if (mode === 'edit' && first.current)
    return (
      <VersionEditor
        detail={first.current}
        onView={() => {
          first.current = undefined;
          void refetch();
          onMode('view');
        }}
        onClose={onClose}
      />
    );
  return (
    <Drawer open size="100%" title="产品版本" onClose={onClose} destroyOnHidden>
      {error ? (
        <TableFailure error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Suspense fallback={<Waiting for={query} />}>
          <VersionView detail={data} onEdit={editable ? () => onMode('edit') : undefined} onChanged={() => void refetch()} />
        </Suspense>
      ) : (
        <Waiting for={query} />
      )}
    </Drawer>
  );
}
