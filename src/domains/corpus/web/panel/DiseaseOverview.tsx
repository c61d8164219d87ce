import { BookOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useList } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import type { Column } from '#kernel/web/kit/columns.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { queryDiseaseList, type DiseaseRow } from '../../contract/diseaseCalls.ts';
import { corpusPermissions } from '../../contract/permissions.ts';
import { openDialog } from '../dialogs/store.ts';
import { openPlace } from '../place.ts';
import { useRemoveDisease } from '../removal.ts';

const schema = { pageNo: param.count(1), pageSize: param.count(10) };

const columns: readonly Column<DiseaseRow>[] = [
  { key: 'diseaseCode', title: '病种编码', width: 110 },
  { key: 'diseaseName', title: '病种名称', width: 280, kind: 'link', to: (row) => () => void openPlace({ diseaseId: row.id }) },
  { key: 'icd10Prefixes', title: 'ICD-10前缀', width: 180, value: (row) => row.icd10Prefixes.join('、') },
  { key: 'sceneCount', title: '场景数', kind: 'number' },
  { key: 'runningCount', title: '运行数', kind: 'number' },
];

/** The diseases of the corpus, ten a page. */
export function DiseaseOverview() {
  const [paging, setPaging] = useAddress(schema);
  const { rows, total, error, fetching, refetch } = useList(queryDiseaseList, { ...paging, available: 1 }, { quiet: true });
  const { remove } = useRemoveDisease();
  const actions = useMemo(
    () => [{ label: '删除', permission: corpusPermissions['disease.edit'], danger: true, act: (row: DiseaseRow) => remove(row) }],
    [remove],
  );
  return (
    <div className="kq-list">
      <div className="kq-toolbar">
        <div className="kq-toolbar-main">
          <Can permission={corpusPermissions['disease.edit']}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => openDialog({ kind: 'addDisease' })}>
              新增病种
            </Button>
          </Can>
          <Button icon={<BookOutlined />} onClick={() => openDialog({ kind: 'dictionary' })}>
            病种字典
          </Button>
        </div>
      </div>
      <DataTable
        columns={columns}
        rows={rows}
        loading={fetching}
        error={error}
        onRetry={() => void refetch()}
        empty="暂无病种，点击“新增病种”从字典中选择"
        actions={actions}
        actionWidth={80}
        settingKey="corpus.disease"
        paging={{ ...paging, total, onChange: (pageNo, pageSize) => setPaging({ pageNo, pageSize }) }}
      />
    </div>
  );
}
