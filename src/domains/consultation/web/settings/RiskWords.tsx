import { Button, Form, Input, Radio, Select } from 'antd';
import { useState } from 'react';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { Field } from '#kernel/web/form/Field.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { SERVER_MESSAGE, useCommand, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import type { OutputOf } from '#kernel/contract/call.ts';
import { addRiskWord, delRiskWord, queryRiskWordList } from '../../contract/calls/canned.ts';
import { riskLevels } from '../../contract/dictionaries.ts';
import { TextSearch } from '#kernel/web/kit/TextInput.tsx';

type Word = OutputOf<typeof queryRiskWordList>;
type Level = Word['level'];
const columns: readonly Column<Word>[] = [
  { key: 'word', title: '敏感词', width: 220 },
  { key: 'level', title: '级别', kind: 'dict', dictionary: riskLevels, width: 100 },
  { key: 'createdAt', title: '添加时间', kind: 'time' },
];

/**
 * 敏感词: 拦截 stops a message, 标记 lets it through and shows it to supervisors. A change holds at once here, within half a minute on other
 * nodes.
 */
export function RiskWords() {
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: 20 });
  const [word, setWord] = useState('');
  const [level, setLevel] = useState<Level | undefined>();
  const layers = useLayers();
  const { rows, total, error, fetching, refetch } = useList(
    queryRiskWordList,
    { ...paging, ...(word && { word }), ...(level && { level }) },
    { quiet: true },
  );
  const remove = useCommand(delRiskWord, { success: '删除成功!', refreshes: [queryRiskWordList], blockMs: 500 });
  const first = () => setPaging(({ pageSize }) => ({ pageNo: 1, pageSize }));
  const search = useDebouncedCallback((text: string) => {
    setWord(text.trim());
    first();
  });
  return (
    <>
      <div className="kq-toolbar">
        <TextSearch
          allowClear
          style={{ width: 220 }}
          most={30}
          placeholder="搜索敏感词"
          aria-label="搜索敏感词"
          onChange={(event) => search(event.target.value)}
        />
        <Select
          allowClear
          style={{ width: 120 }}
          placeholder="全部级别"
          value={level ?? null}
          options={riskLevels.options.map(({ value, label }) => ({ value, label }))}
          onChange={(next: Level | null) => {
            setLevel(next ?? undefined);
            first();
          }}
        />
        <div className="kq-toolbar-end">
          <Button type="primary" onClick={() => layers.open((close) => <AddWord onClose={close} />)}>
            新增
          </Button>
        </div>
      </div>
      <DataTable<Word>
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有敏感词，点击“新增”添加"
        height="auto"
        actions={[
          {
            label: '删除',
            danger: true,
            act: async (row) => {
              if (await confirmDelete(`风险词“${row.word}”`)) await remove.run({ id: row.id });
            },
          },
        ]}
        paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
      />
      {layers.shown}
    </>
  );
}

function AddWord({ onClose }: { onClose(): void }) {
  return (
    <FormDialog<typeof addRiskWord, { word: string; level: Level }>
      open
      title="新增敏感词"
      width={440}
      call={addRiskWord}
      success={SERVER_MESSAGE}
      refreshes={[queryRiskWordList]}
      initial={{ level: 'BLOCK' }}
      labels={{ word: '敏感词', level: '级别' }}
      onClose={onClose}
    >
      <Field of={addRiskWord} name="word" extra="不区分大小写、全半角和空格">
        <Input showCount />
      </Field>
      <Form.Item name="level" label="级别">
        <Radio.Group
          options={[
            { value: 'BLOCK', label: '拦截：消息不能发送' },
            { value: 'FLAG', label: '标记：发送后提示主管' },
          ]}
        />
      </Form.Item>
    </FormDialog>
  );
}
