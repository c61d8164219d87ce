import type { AnswerOf } from '#kernel/contract/call.ts';
import { Button, Drawer } from 'antd';
import { lazy, useMemo, useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { confirmDelete } from '#kernel/web/feedback/dialogs.tsx';
import { StateActions } from '#kernel/web/detail/StateActions.tsx';
import { ExportButton } from '#kernel/web/files/ExportButton.tsx';
import { ImportButton } from '#kernel/web/files/ImportWizard.tsx';
import { useCommand, useData } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { TableFailure, Waiting } from '#kernel/web/kit/TableState.tsx';
import { useLayers } from '#kernel/web/kit/useLayers.tsx';
import { Dict } from '#kernel/web/kit/values.tsx';
import { resource, ResourceList } from '#kernel/web/list/ResourceList.tsx';
import { PartOfPage } from '#kernel/web/tabs/page.tsx';
import { documentPhases, formularyVersionStates } from '../../contract/documents/states.ts';
import {
  auditFormularyVersion,
  delFormularyVersion,
  queryFormularyDetail,
  queryFormularyList,
  type FormularyVersionSeen,
} from '../../contract/formulary/calls.ts';
import { exportFormularyLine, queryFormularyLineList, removeFormularyLine } from '../../contract/formulary/lineCalls.ts';
import { formularyPermissions as may } from '../../contract/permissions.ts';
import './formularies.css';

const LineForm = lazy(async () => ({ default: (await import('./LineForm.tsx')).LineForm }));
const NewFormularyVersion = lazy(async () => ({ default: (await import('./VersionForms.tsx')).NewFormularyVersion }));
const EditFormularyVersion = lazy(async () => ({ default: (await import('./VersionForms.tsx')).EditFormularyVersion }));
const SubmitVersion = lazy(async () => ({ default: (await import('../shared/VersionDialogs.tsx')).SubmitVersion }));
const EndVersion = lazy(async () => ({ default: (await import('../shared/VersionDialogs.tsx')).EndVersion }));
const FormularyDiff = lazy(async () => ({ default: (await import('./FormularyDiff.tsx')).FormularyDiff }));

const lines = resource(queryFormularyLineList, {
  routeKey: 'productHome:formularyLine',
  empty: '该版本没有符合条件的药品，可新增或导入',
  filters: ['keyword', 'indication', 'socialCategory', 'capped'],
  columns: [
    { key: 'medicineNo', hidden: true },
    { key: 'genericName', required: true },
    'brandName',
    'spec',
    { key: 'manufacturer', hidden: true },
    'indicationText',
    { key: 'icd10Prefixes', width: 110 },
    { key: 'geneRequirement', width: 150 },
    { key: 'socialCategory', plain: true, width: 90 },
    'maxUnitPriceFen',
    { key: 'agreementPrices', width: 100 },
    { key: 'maxQtyPerClaimMilli', width: 110 },
    { key: 'minIntervalDays', width: 110 },
    { key: 'directPay', width: 80 },
  ],
});
const reads = [queryFormularyDetail, queryFormularyList];

/** A drug list: its versions at the left, the medicines of the chosen one at the right. */
export function FormularyDesk({ formularyId, onClose }: { formularyId: string; onClose(): void }) {
  const layers = useLayers();
  const query = useData(queryFormularyDetail, { formularyId }, { quiet: true });
  const [chosen, setChosen] = useState<string | null>(null);
  const { data } = query;
  const versions = data?.versions ?? [];
  const version = versions.find(({ id }) => id === chosen) ?? versions[0];
  return (
    <Drawer open size="100%" title={`药品目录 ${data?.formulary.name ?? ''}`} onClose={onClose} destroyOnHidden>
      {query.error ? (
        <TableFailure error={query.error} onRetry={() => void query.refetch()} />
      ) : !data ? (
        <Waiting for={query} />
      ) : (
        <div className="ins-desk">
          <aside>
            <Can permission={may['formulary.edit']}>
              <Button
                type="primary"
                block
                onClick={() =>
                  layers.open((close) => (
                    <NewFormularyVersion formularyId={formularyId} versions={versions} onClose={close} onMade={setChosen} />
                  ))
                }
              >
                新建版本
              </Button>
            </Can>
            <ul className="ins-versions" aria-label="目录版本">
              {versions.map((one) => (
                <li key={one.id}>
                  <button type="button" aria-pressed={one.id === version?.id} onClick={() => setChosen(one.id)}>
                    <span>
                      <b>V{one.versionNo}</b> <Dict of={documentPhases} code={one.phase} />
                    </span>
                    <span className="kq-muted">
                      {one.effectiveFrom}至{one.effectiveTo ?? '长期'} · {one.lineCount}行
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </aside>
          <div className="ins-desk-main">
            {version ? (
              <VersionLines
                key={version.id}
                formulary={data.formulary}
                version={version}
                before={versions.find(({ versionNo }) => versionNo < version.versionNo)}
              />
            ) : (
              <p className="kq-empty">还没有版本，点击“新建版本”</p>
            )}
          </div>
        </div>
      )}
      {layers.shown}
    </Drawer>
  );
}

interface LinesProps {
  formulary: AnswerOf<typeof queryFormularyDetail>['formulary'];
  version: FormularyVersionSeen;
  before: FormularyVersionSeen | undefined;
}

function VersionLines({ formulary, version, before }: LinesProps) {
  const layers = useLayers();
  const command = useCommand(auditFormularyVersion, { success: '操作成功!', refreshes: reads });
  const removeVersion = useCommand(delFormularyVersion, { success: '删除成功!', refreshes: reads });
  const removeLine = useCommand(removeFormularyLine, { success: '删除成功!', refreshes: [queryFormularyLineList, ...reads] });
  const fixed = useMemo(() => ({ formularyVersionId: version.id }), [version.id]);
  const editable = version.allowedActions.includes('modify');
  return (
    <PartOfPage>
      <div className="ins-desk-actions">
        <span className="kq-muted">
          {[
            version.makerName ? `提交人${version.makerName}` : '',
            version.checkerName ? `审核人${version.checkerName}` : '',
            version.changeNote ? `变更说明：${version.changeNote}` : '',
          ]
            .filter((text) => text !== '')
            .join(' · ')}
        </span>
        <span>
          {before && (
            <Button onClick={() => layers.open((close) => <FormularyDiff fromId={before.id} toId={version.id} onClose={close} />)}>
              对比上一版
            </Button>
          )}{' '}
          {editable && (
            <Button onClick={() => layers.open((close) => <EditFormularyVersion version={version} onClose={close} />)}>生效期</Button>
          )}{' '}
          {version.allowedActions.includes('submit') && (
            <Button
              type="primary"
              onClick={() =>
                layers.open((close) => <SubmitVersion call={auditFormularyVersion} version={version} refreshes={reads} onClose={close} />)
              }
            >
              提交审核
            </Button>
          )}{' '}
          <StateActions
            machine={formularyVersionStates}
            state={version.state}
            facts={[
              ...factsIn(queryFormularyDetail.output.shape.formulary, formulary, ['formularyCode', 'name']),
              { label: '版本', value: `V${version.versionNo}` },
              { label: '药品', value: `${version.lineCount}个` },
            ]}
            without={['modify', 'newVersion', 'submit', 'endVersion']}
            onAction={(action, opinion) => {
              if (action === 'modify' || action === 'newVersion') return;
              return command.run({ id: version.id, version: version.version, action, opinion });
            }}
          />{' '}
          {version.allowedActions.includes('endVersion') && (
            <Button
              danger
              onClick={() =>
                layers.open((close) => <EndVersion call={auditFormularyVersion} version={version} refreshes={reads} onClose={close} />)
              }
            >
              设置失效日
            </Button>
          )}{' '}
          {editable && (
            <Button
              danger
              onClick={async () => {
                if (await confirmDelete(`“${formulary.name}”V${version.versionNo}`, [`${version.lineCount}行药品一并删除`]))
                  await removeVersion.run({ formularyVersionId: version.id, version: version.version });
              }}
            >
              删除版本
            </Button>
          )}
        </span>
      </div>
      <ResourceList
        of={lines}
        fixed={fixed}
        actions={[
          {
            label: '编辑',
            when: () => editable,
            act: (row) => layers.open((close) => <LineForm formularyVersionId={version.id} row={row} onClose={close} />),
          },
          {
            label: '删除',
            danger: true,
            when: () => editable,
            act: async (row) => {
              if (await confirmDelete(`“${row.genericName}”（${row.medicineNo}）`))
                await removeLine.run({ lineId: row.id, version: row.version });
            },
          },
        ]}
        toolbar={(view) => (
          <>
            {editable && (
              <>
                <Button
                  type="primary"
                  onClick={() => layers.open((close) => <LineForm formularyVersionId={version.id} row={null} onClose={close} />)}
                >
                  新增药品
                </Button>
                <ImportButton
                  importerCode="insurance.formularyLine"
                  permission={may['formulary.edit']}
                  params={fixed}
                  onChanged={view.refetch}
                />
              </>
            )}
            <ExportButton call={exportFormularyLine} view={view} permission={may['formulary.view']} />
          </>
        )}
      />
      {layers.shown}
    </PartOfPage>
  );
}
