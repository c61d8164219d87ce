import { Button, Drawer, Tabs } from 'antd';
import { useState } from 'react';
import { useData } from '#kernel/web/http/queries.ts';
import { DetailLayout, Facts } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { FilePreview } from '#kernel/web/files/FilePreview.tsx';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict, NOTHING } from '#kernel/web/kit/values.tsx';
import { useMay } from '#kernel/web/session/store.ts';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { queryFileList } from '#domains/files/contract/calls/objects.ts';
import { queryPharmaCompanyDetail, type CompanyRow } from '../../contract/calls/companies.ts';
import { agentRanks } from '../../contract/dictionaries.ts';
import { pharmaPermissions } from '../../contract/permissions.ts';
import { agentMachine, companyMachine, lineMachine, medicineMachine } from '../../contract/states.ts';
import { countryName } from '../../contract/countries.ts';
import { AdverseReports } from './AdverseReports.tsx';

/** Drawer of one company: `?companyId=`. */
export function CompanyDrawer({ companyId, onClose }: { companyId: string; onClose(): void }) {
  const may = useMay();
  const { data, error, loading, refetch } = useData(queryPharmaCompanyDetail, { companyId }, { quiet: true });
  const company = data?.company;
  return (
    <Drawer open size={960} title="药企详情" onClose={onClose} destroyOnHidden>
      <DetailLayout
        title={company?.name}
        state={company && <Dict of={companyMachine.dictionary} code={company.state} />}
        subtitle={company?.companyNo}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && company && (
          <Tabs
            items={[
              {
                key: 'facts',
                label: '基本',
                children: (
                  <Facts
                    facts={factsIn(queryPharmaCompanyDetail.output.shape.company, company, [
                      'shortName',
                      { key: 'roles', wide: true },
                      'uscc',
                      { label: '国家', value: countryName(company.country) },
                      'contactName',
                      'contactMobile',
                      { label: '邮箱', value: company.contactEmail },
                      { label: '药物警戒联系人', value: company.pvContact.name },
                      { label: '药物警戒邮箱', value: company.pvContact.email },
                      { label: '药物警戒电话', value: company.pvContact.phone },
                      'licenceValidTo',
                      { label: '资质文件', value: <CompanyPapers company={company} />, wide: true },
                      { label: '地址', value: company.address, wide: true },
                    ])}
                  />
                ),
              },
              {
                key: 'lines',
                label: `产品线（${data.lines.length}）`,
                children: (
                  <DataTable
                    rows={data.lines}
                    height="auto"
                    empty="该药企暂无产品线"
                    columns={[
                      {
                        key: 'lineNo',
                        title: '产品线编号',
                        width: 170,
                        kind: 'link',
                        to: (row) => ({ path: '/pharmaceuticalEnterprisesProductLine', search: { companyId, name: row.name } }),
                      },
                      { key: 'name', title: '名称', width: 180 },
                      { key: 'startDate', title: '合作开始', kind: 'day' },
                      { key: 'endDate', title: '合作结束', kind: 'day' },
                      { key: 'state', title: '状态', kind: 'dict', dictionary: lineMachine.dictionary },
                    ]}
                  />
                ),
              },
              {
                key: 'medicines',
                label: `药品（${data.medicines.length}）`,
                children: (
                  <DataTable
                    rows={data.medicines}
                    height="auto"
                    empty="该药企暂无药品"
                    columns={[
                      {
                        key: 'medicineNo',
                        title: '药品编号',
                        width: 170,
                        kind: 'link',
                        to: (row) => ({ path: '/medicineManagementTable', search: { medicineId: row.id } }),
                      },
                      { key: 'genericName', title: '通用名', width: 200 },
                      { key: 'strength', title: '规格', width: 110 },
                      { key: 'approvalNo', title: '批准文号', width: 170 },
                      { key: 'state', title: '状态', kind: 'dict', dictionary: medicineMachine.dictionary },
                    ]}
                  />
                ),
              },
              {
                key: 'agents',
                label: `代表（${data.agents.length}）`,
                children: (
                  <DataTable
                    rows={data.agents}
                    height="auto"
                    empty="该药企暂无代表"
                    columns={[
                      {
                        key: 'agentNo',
                        title: '代表编号',
                        width: 170,
                        kind: 'link',
                        to: (row) => ({ path: '/agentDetail', search: { agentId: row.id } }),
                      },
                      { key: 'name', title: '姓名', width: 100 },
                      { key: 'rank', title: '职级', kind: 'dict', dictionary: agentRanks, plain: true },
                      { key: 'state', title: '状态', kind: 'dict', dictionary: agentMachine.dictionary },
                    ]}
                  />
                ),
              },
              ...(may(pharmaPermissions['pv.view'])
                ? [{ key: 'adverse', label: '不良反应', children: <AdverseReports companyId={companyId} /> }]
                : []),
              { key: 'trail', label: '操作轨迹', children: <AuditTimeline rows={data.timeline} machine={companyMachine} /> },
            ]}
          />
        )}
      </DetailLayout>
    </Drawer>
  );
}

/** Licence papers of a company, each to be looked at. */
function CompanyPapers({ company }: { company: CompanyRow }) {
  const { data } = useData(
    queryFileList,
    { ownerType: 'pharma.company', ownerId: company.id },
    { enabled: company.licenceFileIds.length > 0, quiet: true },
  );
  const [index, setIndex] = useState<number | null>(null);
  const files = (data ?? []).filter((file) => company.licenceFileIds.includes(file.fileId));
  if (company.licenceFileIds.length === 0) return NOTHING;
  return (
    <>
      {files.map((file, place) => (
        <Button key={file.fileId} type="link" size="small" onClick={() => setIndex(place)}>
          {file.fileName}
        </Button>
      ))}
      <FilePreview
        files={index === null ? null : files}
        index={index ?? 0}
        ownerType="pharma.company"
        ownerId={company.id}
        onClose={() => setIndex(null)}
      />
    </>
  );
}
