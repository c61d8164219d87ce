import { Button, Drawer } from 'antd';
import { lazy, useState } from 'react';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useChosen, useSelection } from '#kernel/web/kit/selection.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { queryUnboundDoctorList } from '../../contract/calls/assistants.ts';
import { titles } from '../../contract/dictionaries.ts';
import { doctorPermissions as rights } from '../../contract/permissions.ts';
import { TextInput } from '#kernel/web/kit/TextInput.tsx';

const BindDialog = lazy(async () => ({ default: (await import('./BindDialog.tsx')).BindDialog }));

type Row = OutputOf<typeof queryUnboundDoctorList>;

/** Doctors who may be consulted and have no primary assistant; bound from here. */
export function UnboundDoctors({ onClose }: { onClose(): void }) {
  const [name, setName] = useState('');
  const search = useDebouncedCallback((text: string) => {
    setName(text.trim());
    setPage((page) => ({ ...page, pageNo: 1 }));
  });
  const [page, setPage] = useState({ pageNo: 1, pageSize: 20 });
  const layers = useLayers();
  const { rows, total, error, fetching, refetch } = useList(queryUnboundDoctorList, { ...page, ...(name && { name }) });
  const selection = useSelection<Row>();
  const chosen = useChosen(selection);
  const bind = () => layers.open((close) => <BindDialog doctors={chosen} onClose={close} onDone={() => selection.clear()} />);
  return (
    <Drawer open size={720} title="无医助医生" onClose={onClose}>
      <div className="st-bar" style={{ marginBottom: 12 }}>
        <TextInput
          allowClear
          placeholder="姓名、拼音或编号"
          style={{ width: 220 }}
          most={30}
          onChange={({ target }) => search(target.value)}
        />
        <Can permission={rights['assistant.bind']}>
          <Button type="primary" disabled={chosen.length === 0} onClick={bind}>
            绑定医助{chosen.length > 0 ? `（${chosen.length}）` : ''}
          </Button>
        </Can>
      </div>
      <DataTable<Row>
        columns={[
          { key: 'doctorNo', title: '医生编号', width: 170 },
          { key: 'name', title: '姓名', width: 140 },
          { key: 'titleCode', title: '职称', kind: 'dict', dictionary: titles, plain: true, width: 110 },
          { key: 'backupCount', title: '备岗医助', kind: 'number', width: 100 },
        ]}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="所有接诊医生都有主医助"
        height="auto"
        selection={selection}
        paging={{ ...page, total, onChange: (pageNo, pageSize) => setPage({ pageNo, pageSize }) }}
      />
      {layers.shown}
    </Drawer>
  );
}
