import { Button, Drawer, Form, Select, Space } from 'antd';
import { useMemo, useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { NoChoices } from '#kernel/web/kit/NoChoices.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { BatchResult } from '#kernel/web/list/BatchResult.tsx';
import type { RowOutcome } from '#kernel/web/list/rowOutcome.ts';
import { useChosen, useSelection } from '#kernel/web/kit/selection.ts';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import {
  addDepartment,
  batchMapDepartment,
  delDepartment,
  modifyDepartment,
  queryDepartmentTree,
  type DepartmentNode,
} from '../../contract/departmentCalls.ts';
import { queryHospitalList } from '../../contract/hospitalCalls.ts';
import { institutionPermissions as may } from '../../contract/permissions.ts';

interface Values {
  name: string;
  standardDeptCode: string | null;
  alias: string[];
  sort: number;
  phone: string;
}
export const standardOptions = (nodes: readonly DepartmentNode[] | undefined) =>
  (nodes ?? []).map(({ id, name }) => ({ value: id, label: `${id} ${name}` }));

const reads = [queryDepartmentTree, queryHospitalList];

function useStandardDepartments() {
  const standard = useData(queryDepartmentTree, {}, { fresh: 600_000, quiet: true });
  const options = useMemo(() => standardOptions(standard.data), [standard.data]);
  return { standard, options };
}

interface DepartmentFormProps {
  hospitalId: string;
  /** Absent: a new one. */
  department: DepartmentNode | null;
  onClose(): void;
}

function DepartmentForm({ hospitalId, department, onClose }: DepartmentFormProps) {
  const { standard, options } = useStandardDepartments();
  const shared = { open: true, width: 520, refreshes: reads, onClose } as const;
  const fields = (
    <>
      <Field of={addDepartment} name="name" />
      <Form.Item label="标准科室" name="standardDeptCode">
        <Select
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          options={options}
          placeholder="请选择"
          notFoundContent={<NoChoices of={standard} none="没有符合的科室" />}
        />
      </Form.Item>
      <Form.Item label="别名" name="alias">
        <Select mode="tags" open={false} suffixIcon={null} placeholder="输入后回车" />
      </Form.Item>
      <div className="in-two">
        <Field of={addDepartment} name="sort" />
        <Field of={addDepartment} name="phone" />
      </div>
    </>
  );
  const bodyOf = (values: Values) => ({
    ...values,
    standardDeptCode: values.standardDeptCode ?? null,
    alias: values.alias ?? [],
    sort: values.sort ?? 0,
    phone: values.phone ?? '',
  });
  return department === null ? (
    <FormDialog<typeof addDepartment, Values>
      {...shared}
      title="新增科室"
      call={addDepartment}
      initial={{ alias: [], sort: 0, phone: '', standardDeptCode: null }}
      toInput={(values) => ({ hospitalId, ...bodyOf(values) })}
      success="message"
    >
      {fields}
    </FormDialog>
  ) : (
    <FormDialog<typeof modifyDepartment, Values>
      {...shared}
      title={`编辑科室：${department.name}`}
      call={modifyDepartment}
      recordKey={department.id}
      initial={{
        name: department.name,
        standardDeptCode: department.standardDeptCode,
        alias: department.alias,
        sort: department.sort,
        phone: department.phone,
      }}
      toInput={(values) => ({ id: department.id, version: department.version, ...bodyOf(values) })}
      success="修改成功!"
    >
      {fields}
    </FormDialog>
  );
}

/** 科室 of one hospital: add, change, map to standard departments, delete. */
export function DepartmentDrawer({ hospital, onClose }: { hospital: { id: string; name: string }; onClose(): void }) {
  const { data, error, fetching, refetch } = useData(queryDepartmentTree, { hospitalId: hospital.id }, { quiet: true });
  const { standard, options } = useStandardDepartments();
  const layers = useLayers();
  const edit = (department: DepartmentNode | null) =>
    layers.open((close) => <DepartmentForm hospitalId={hospital.id} department={department} onClose={close} />);
  const [code, setCode] = useState<string | null>(null);
  const selection = useSelection<DepartmentNode>();
  const chosen = useChosen(selection);
  const remove = useCommand(delDepartment, { refreshes: reads, success: '删除成功!' });
  const [outcomes, setOutcomes] = useState<readonly RowOutcome[] | null>(null);
  const map = useCommand(batchMapDepartment, {
    refreshes: reads,
    onSuccess: ({ data: rows }) => {
      selection.clear();
      setOutcomes(rows.map(({ name, ok, message }) => ({ name, ok, message })));
    },
  });
  return (
    <Drawer open size={820} title={`科室：${hospital.name}`} onClose={onClose} destroyOnHidden>
      <Can permission={may['hospital.edit']}>
        <Space wrap>
          <Button type="primary" onClick={() => edit(null)}>
            新增科室
          </Button>
          <Select
            allowClear
            showSearch={{ optionFilterProp: 'label' }}
            options={options}
            notFoundContent={<NoChoices of={standard} none="没有符合的科室" />}
            value={code}
            onChange={(next) => setCode(next ?? null)}
            placeholder="选择标准科室"
            style={{ width: 220 }}
          />
          <Button
            disabled={!code || chosen.length === 0 || map.busy}
            onClick={() => code && void map.run({ ids: chosen.map(({ id }) => id), standardDeptCode: code })}
          >
            批量对应（{chosen.length}）
          </Button>
        </Space>
      </Can>
      <DataTable<DepartmentNode>
        height={520}
        rows={data}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="还没有科室，点击“新增科室”创建"
        selection={selection}
        columns={[
          { key: 'name', title: '科室', width: 180 },
          { key: 'standardDeptName', title: '标准科室', width: 160 },
          { key: 'alias', title: '别名', width: 160, value: (row) => row.alias.join('、') },
          { key: 'doctorCount', title: '医生数', kind: 'number', width: 80 },
        ]}
        actions={[
          { label: '编辑', permission: may['hospital.edit'], act: edit },
          {
            label: '删除',
            permission: may['hospital.edit'],
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`科室“${row.name}”`)) await remove.run({ id: row.id });
            },
          },
        ]}
      />
      {outcomes && (
        <BatchResult title="批量对应" outcomes={outcomes} total={outcomes.length} running={false} onClose={() => setOutcomes(null)} />
      )}
      {layers.shown}
    </Drawer>
  );
}
