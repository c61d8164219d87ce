import { Drawer, Form, Input } from 'antd';
import { useMemo, useState } from 'react';
import { Field } from '#kernel/web/form/Field.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { FormDialog } from '#kernel/web/form/FormDrawer.tsx';
import { useDebouncedCallback } from '#kernel/web/http/debounce.ts';
import { refresh, useList } from '#kernel/web/http/queries.ts';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { DISEASE_IMPORTER, modifyDiseaseInfo, queryDiseaseList, type DiseaseRow } from '../../contract/diseaseCalls.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { PrefixSelect } from './PrefixSelect.tsx';

const labels = { diseaseName: '病种名称', icd10Prefixes: 'ICD-10前缀' };

const columns: readonly Column<DiseaseRow>[] = [
  { key: 'diseaseCode', title: '病种编码', width: 96 },
  { key: 'diseaseName', title: labels.diseaseName, width: 240 },
  { key: 'icd10Prefixes', title: labels.icd10Prefixes, width: 160, value: (row) => row.icd10Prefixes.join('、') },
  { key: 'available', title: '在语料库中', width: 96, value: (row) => (row.available === 1 ? '是' : '否') },
];

/** 病种字典: every disease that can be taken into the corpus, and which diagnoses mean it. */
export function DictionaryDrawer({ onClose }: { onClose(): void }) {
  const [paging, setPaging] = useState({ pageNo: 1, pageSize: 20 });
  const [diseaseName, setDiseaseName] = useState('');
  const [edited, setEdited] = useState<DiseaseRow>();
  const { rows, total, error, fetching, refetch } = useList(queryDiseaseList, { ...paging, available: '', diseaseName }, { quiet: true });
  const search = useDebouncedCallback((text: string) => {
    setDiseaseName(text.trim());
    setPaging(({ pageSize }) => ({ pageNo: 1, pageSize }));
  });
  const actions = useMemo(
    () => [{ label: '修改', permission: corpusPermissions['disease.edit'], act: (row: DiseaseRow) => setEdited(row) }],
    [],
  );
  return (
    <Drawer open title="病种字典" size={760} onClose={onClose}>
      <div className="kq-toolbar kq-dictionary-tools">
        <Input.Search
          className="kq-dictionary-search"
          allowClear
          placeholder="按病种名称或编码搜索"
          aria-label="搜索病种字典"
          onChange={(event) => search(event.target.value)}
        />
        <ImportButton
          importerCode={DISEASE_IMPORTER}
          permission={corpusPermissions['disease.edit']}
          onChanged={() => void refresh(queryDiseaseList)}
        />
      </div>
      <DataTable
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="没有匹配的病种，请调整搜索条件"
        actions={actions}
        actionWidth={80}
        height="auto"
        paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
      />
      {edited && <DiseaseForm disease={edited} onClose={() => setEdited(undefined)} />}
    </Drawer>
  );
}

interface Values {
  diseaseName: string;
  icd10Prefixes: string[];
}

function DiseaseForm({ disease, onClose }: { disease: DiseaseRow; onClose(): void }) {
  const [form] = Form.useForm<Values>();
  const [version, setVersion] = useState(disease.version);
  return (
    <FormDialog<typeof modifyDiseaseInfo, Values>
      open
      form={form}
      call={modifyDiseaseInfo}
      recordKey={disease.id}
      initial={{ diseaseName: disease.diseaseName, icd10Prefixes: disease.icd10Prefixes }}
      toInput={(values) => ({ id: disease.id, ...values, version })}
      labels={labels}
      onReload={(current) => {
        form.setFieldsValue({ diseaseName: String(current['diseaseName']), icd10Prefixes: current['icd10Prefixes'] as string[] });
        setVersion(Number(current['version']));
      }}
      onKeep={(current) => setVersion(Number(current['version']))}
      success="修改成功!"
      refreshes={[queryDiseaseList]}
      onClose={onClose}
    >
      <Form.Item label="病种编码">{disease.diseaseCode}</Form.Item>
      <Field of={modifyDiseaseInfo} name="diseaseName">
        <Input showCount />
      </Field>
      <Field of={modifyDiseaseInfo} name="icd10Prefixes" extra="患者的诊断编码以其中任一前缀开头，即属于该病种">
        <PrefixSelect />
      </Field>
    </FormDialog>
  );
}
