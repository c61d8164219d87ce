import { Alert, Drawer, Tabs, Tag } from 'antd';
import { AuditTimeline } from '#kernel/web/detail/AuditTimeline.tsx';
import { DetailLayout, Facts, Section } from '#kernel/web/detail/DetailLayout.tsx';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { useData } from '#kernel/web/http/queries.ts';
import { DataTable } from '#kernel/web/kit/DataTable.tsx';
import { Dict, NOTHING, Time } from '#kernel/web/kit/values.tsx';
import { aliasKinds, licenceStates, licenceTypes, qualityIssues } from '../../contract/dictionaries.ts';
import { hospitalDetail, hospitalFactKeys, queryHospitalDetail } from '../../contract/hospitalCalls.ts';
import { hospitalMachine, mergeMachine } from '../../contract/states.ts';
import { PlaceMap } from '../shared/PlaceMap.tsx';

/** Entered facts that the head, the map and facts of several fields show. */
const SHOWN_ELSEWHERE = ['name', 'adcode', 'lngE6', 'latE6', 'licenceNo', 'licenceValidTo', 'parentId', 'logoFileId'] as const;

/** One hospital with everything around it. */
export function HospitalDrawer({
  hospitalId,
  onClose,
  onOpen,
}: {
  hospitalId: string | undefined;
  onClose(): void;
  onOpen(hospitalId: string): void;
}) {
  const { data, error, loading, refetch } = useData(
    queryHospitalDetail,
    { hospitalId: hospitalId ?? '0' },
    { enabled: hospitalId !== undefined, quiet: true },
  );
  return (
    <Drawer open={hospitalId !== undefined} onClose={onClose} size={860} title="医院详情" destroyOnHidden>
      <DetailLayout
        title={data?.name ?? ''}
        state={data && <Dict of={hospitalMachine.dictionary} code={data.state} />}
        subtitle={data && `${data.hospitalNo}　${data.region}`}
        loading={loading}
        error={error}
        onRetry={() => void refetch()}
      >
        {data && (
          <>
            {data.mergedFrom && <Alert type="info" showIcon title={`“${data.mergedFrom.name}”已并入本医院`} />}
            <Tabs
              items={[
                {
                  key: 'facts',
                  label: '基本',
                  children: (
                    <>
                      <Facts
                        facts={factsIn(
                          hospitalDetail,
                          data,
                          [
                            'level',
                            'kind',
                            'ownership',
                            'shortName',
                            'phone',
                            'website',
                            { key: 'address', wide: true },
                            'uscc',
                            {
                              label: '许可证号',
                              value: data.licenceNo
                                ? `${data.licenceNo}${data.licenceValidTo ? `（至${data.licenceValidTo}）` : ''}`
                                : NOTHING,
                            },
                            'nhsaCode',
                            'parentName',
                            'source',
                            'doctorCount',
                            {
                              label: '数据质量',
                              value: (
                                <span className="in-tags">
                                  {Math.round(data.qualityScoreBp / 100)}分{' '}
                                  {data.qualityIssues.map((issue) => (
                                    <Tag key={issue} color={qualityIssues.tone(issue)} variant="filled">
                                      {qualityIssues.label(issue)}
                                    </Tag>
                                  ))}
                                </span>
                              ),
                              wide: true,
                            },
                            {
                              label: '别名',
                              value: data.aliases.length ? (
                                <span className="in-tags">
                                  {data.aliases.map((alias) => (
                                    <Tag key={alias.id} title={aliasKinds.label(alias.kind)}>
                                      {alias.name}
                                    </Tag>
                                  ))}
                                </span>
                              ) : (
                                NOTHING
                              ),
                              wide: true,
                            },
                            'introduction',
                          ],
                          { of: hospitalFactKeys, without: SHOWN_ELSEWHERE },
                        )}
                      />
                      <PlaceMap
                        adcode={data.adcode}
                        point={data.lngE6 !== null && data.latE6 !== null ? { lngE6: data.lngE6, latE6: data.latE6 } : null}
                      />
                    </>
                  ),
                },
                {
                  key: 'departments',
                  label: `科室（${data.departments.length}）`,
                  children: (
                    <DataTable
                      height={420}
                      rows={data.departments}
                      columns={[
                        { key: 'name', title: '科室', width: 200 },
                        { key: 'standardDeptName', title: '标准科室', width: 180 },
                        { key: 'doctorCount', title: '医生数', kind: 'number' },
                      ]}
                      empty="暂无科室"
                    />
                  ),
                },
                {
                  key: 'campuses',
                  label: `院区（${data.campuses.length}）`,
                  children: (
                    <DataTable
                      height={420}
                      rows={data.campuses}
                      columns={[
                        { key: 'hospitalNo', title: '编号', width: 170 },
                        { key: 'name', title: '名称', width: 240, kind: 'link', to: (row) => () => onOpen(row.id) },
                        { key: 'address', title: '地址', width: 220 },
                        { key: 'state', title: '状态', kind: 'dict', dictionary: hospitalMachine.dictionary },
                      ]}
                      empty="没有院区"
                    />
                  ),
                },
                {
                  key: 'licences',
                  label: '证照',
                  children: (
                    <DataTable
                      height={420}
                      rows={data.licences}
                      columns={[
                        { key: 'licenceType', title: '证照', kind: 'dict', dictionary: licenceTypes, plain: true, width: 170 },
                        { key: 'licenceNo', title: '编号', width: 220 },
                        { key: 'holder', title: '持有人', width: 180 },
                        { key: 'validTo', title: '有效期止', kind: 'day' },
                        { key: 'state', title: '状态', kind: 'dict', dictionary: licenceStates },
                      ]}
                      empty="暂无证照"
                    />
                  ),
                },
                {
                  key: 'merges',
                  label: '合并',
                  children: (
                    <DataTable
                      height={420}
                      rows={data.merges}
                      rowKey="mergeId"
                      columns={[
                        { key: 'mergeNo', title: '合并单号', width: 170 },
                        { key: 'loserName', title: '并入医院', width: 240 },
                        { key: 'state', title: '状态', kind: 'dict', dictionary: mergeMachine.dictionary },
                        { key: 'doneAt', title: '合并时间', kind: 'time' },
                      ]}
                      empty="没有合并记录"
                    />
                  ),
                },
                {
                  key: 'trail',
                  label: '变更记录',
                  children: (
                    <Section>
                      <AuditTimeline rows={data.trail} machine={hospitalMachine} />
                      <p className="kq-muted">
                        创建于 <Time at={data.createdAt} />
                      </p>
                    </Section>
                  ),
                },
              ]}
            />
          </>
        )}
      </DetailLayout>
    </Drawer>
  );
}
