import { Drawer } from 'antd';
import { useMemo } from 'react';
import { ExportButton } from '../../../../kernel/web/files/ExportButton.tsx';
import { resource, ResourceList } from '../../../../kernel/web/list/ResourceList.tsx';
import { goTo } from '../../../../kernel/web/router/navigate.ts';
import { PartOfPage } from '../../../../kernel/web/tabs/page.tsx';
import { exportControlHit, queryControlHitList } from '../../contract/controls/hits.ts';
import { controlModeWords } from '../../contract/controls/dictionaries.ts';
import { claimRulePermissions, controlPermissions as may } from '../../contract/permissions.ts';

const hits = resource(queryControlHitList, {
  routeKey: 'controlModule:hits',
  empty: '所选范围没有命中记录',
  filters: [
    { kind: 'days', names: ['from', 'to'], label: '命中日期', presets: true },
    { kind: 'dict', name: 'mode', label: '控费方式', dictionary: controlModeWords, several: true },
    { kind: 'flag', name: 'overturned', label: '已推翻' },
  ],
  columns: ['at', 'versionNo', 'mode', 'claimNo', 'lineNo', 'trace', 'savedFen', 'overturned', 'overturnedAt'],
});

/** What one rule hit, claim by claim. */
export function Hits({ ruleId, title, onClose }: { ruleId: string; title: string; onClose(): void }) {
  const fixed = useMemo(() => ({ ruleId }), [ruleId]);
  return (
    <Drawer open size={1080} title={`命中明细 ${title}`} onClose={onClose}>
      <PartOfPage>
        <ResourceList
          of={hits}
          fixed={fixed}
          actions={[
            {
              label: '理赔规则',
              permission: claimRulePermissions['claimRule.view'],
              // Of a claim that nobody has told of there is nothing to show.
              when: ({ claimNo }) => claimNo !== null,
              act: ({ claimId }) => goTo('/lookClaimRules', { claimId }),
            },
          ]}
          toolbar={(view) => <ExportButton call={exportControlHit} view={view} permission={may['control.view']} />}
        />
      </PartOfPage>
    </Drawer>
  );
}
