import { Alert, Button } from 'antd';
import { useState } from 'react';
import { factsIn } from '#kernel/web/detail/factsIn.tsx';
import { ask, confirmWithOpinion } from '#kernel/web/feedback/dialogs.tsx';
import { Upload } from '#kernel/web/files/Upload.tsx';
import { useCommand } from '#kernel/web/http/queries.ts';
import { Can } from '#kernel/web/kit/Can.tsx';
import { useAddress } from '#kernel/web/tabs/page.tsx';
import { param } from '#kernel/web/router/address.ts';
import { useMay } from '#kernel/web/session/store.ts';
import {
  acceptBatchWarning,
  excludeInsuredBatchRow,
  queryInsuredBatchDetail,
  reparseInsuredBatch,
  type BatchDetail,
} from '../../contract/calls/batches.ts';
import { listPermissions as may } from '../../contract/permissions.ts';
import { POLICY_LIST } from '../../contract/purposes.ts';
import { saveResult } from './saveResult.ts';
import { batchReads } from './useBatchActions.ts';
import '../shared/policy.css';
import './batches.css';

const address = { code: param.optional() };

/** What was found in a list, by code: each may be looked at, left out or accepted. */
export function BatchChecks({ batch }: { batch: BatchDetail }) {
  const has = useMay();
  const [{ code }, setAddress] = useAddress(address);
  const [replacing, setReplacing] = useState(false);
  const accept = useCommand(acceptBatchWarning, { success: '操作成功!', refreshes: batchReads });
  const exclude = useCommand(excludeInsuredBatchRow, { success: '操作成功!', refreshes: batchReads });
  const reparse = useCommand(reparseInsuredBatch, { success: '操作成功!', refreshes: batchReads });
  const batchVersion = { batchId: batch.id, version: batch.version };
  const open = batch.state === 'HAS_ERROR' || batch.state === 'PREVIEW';
  const chosen = [...batch.errorCodes, ...batch.warningCodes].find((one) => one.code === code);
  const leaveOut = async () => {
    const note = await confirmWithOpinion({
      title: '剔除错误行',
      content: `剔除“${chosen?.code}”的全部${chosen?.rows}行，这些行不会生效。`,
      facts: [
        { label: '行数', value: `${chosen?.rows ?? 0} 行` },
        ...factsIn(queryInsuredBatchDetail.output, batch, ['batchNo', 'insurerName', 'totalRows', 'errorRows']),
      ],
      label: '剔除说明',
      danger: true,
    });
    if (note !== null && chosen) await exclude.run({ ...batchVersion, code: chosen.code, note });
  };
  return (
    <>
      {batch.sheetRead !== null && <Alert type="info" showIcon title={`读取的工作表：${batch.sheetRead}`} />}
      {batch.unknownHeaders.length > 0 && <Alert type="info" showIcon title={`未识别的列没有导入：${batch.unknownHeaders.join('、')}`} />}
      {batch.fault !== null && !batch.faultAccepted && (
        <Alert
          type="error"
          showIcon
          title={batch.fault}
          action={
            open && has(may['batch.audit']) ? (
              <Button
                size="small"
                danger
                onClick={async () => {
                  if (
                    await ask({
                      title: '确认文件完整',
                      content: `${batch.fault}。确认后未列出的人员将按减员处理。`,
                      facts: factsIn(queryInsuredBatchDetail.output, batch, [
                        'batchNo',
                        'insurerName',
                        'totalRows',
                        'removeRows',
                        'premiumDeltaFen',
                      ]),
                      danger: true,
                    })
                  )
                    await accept.run({ ...batchVersion, what: 'FAULT' });
                }}
              >
                确认文件完整
              </Button>
            ) : (
              '请由审核人员确认'
            )
          }
        />
      )}
      <div className="pol-codes" role="group" aria-label="按错误码查看">
        {[...batch.errorCodes, ...batch.warningCodes].map((one) => (
          <Button
            key={one.code}
            size="small"
            danger={one.code.startsWith('E')}
            type={one.code === code ? 'primary' : 'default'}
            title={one.sample}
            aria-pressed={one.code === code}
            onClick={() => setAddress({ code: one.code === code ? undefined : one.code })}
          >
            {one.code} {one.sample.length > 18 ? `${one.sample.slice(0, 18)}…` : one.sample}（{one.rows}行）
          </Button>
        ))}
      </div>
      {open && (
        <Can permission={may['batch.import']}>
          <div className="pol-actions">
            {chosen?.code.startsWith('W') && (
              <Button type="primary" onClick={() => void accept.run({ ...batchVersion, what: 'CODE', code: chosen.code })}>
                确认{chosen.code}全部提示
              </Button>
            )}
            {chosen?.code.startsWith('E') && (
              <Button danger onClick={() => void leaveOut()}>
                剔除{chosen.code}全部行
              </Button>
            )}
            {batch.errorRows > 0 && <Button onClick={() => void saveResult(batch.id, 'ERROR')}>下载错误文件</Button>}
            <Button onClick={() => void reparse.run(batchVersion)}>重新校验</Button>
            {batch.reverseOfBatchId === null && batch.renewsPolicyNo === null && (
              <Button onClick={() => setReplacing(!replacing)}>更换文件</Button>
            )}
          </div>
          {replacing && (
            <Upload
              purpose={POLICY_LIST}
              max={1}
              hint="上传更正后的文件，重新校验全部行"
              onChange={(files) => {
                const fileId = files[0]?.fileId;
                if (!fileId) return;
                setReplacing(false);
                void reparse.run({ ...batchVersion, fileId });
              }}
            />
          )}
        </Can>
      )}
    </>
  );
}
