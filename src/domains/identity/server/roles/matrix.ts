import { exportHandler } from '#kernel/server/exporting/exportHandler.ts';
import { exportSource, type ExportColumn } from '#kernel/server/exporting/source.ts';
import type { Handler } from '#kernel/server/handler.ts';
import { exportRoleMatrix } from '../../contract/calls/roles.ts';
import { risks } from '../../contract/dictionaries.ts';
import { identityPermissions } from '../../contract/permissions.ts';
import type { IdentityCore } from '../core.ts';
import { own } from '../database.ts';

interface Row {
  code: string;
  label: string;
  domain: string;
  risk: string;
  holders: ReadonlySet<string>;
}

/** Rights down, roles across: the columns are the roles of this moment, so the source is made for each export. */
export const matrixHandler = (core: IdentityCore): Handler => ({
  mode: 'procedure',
  call: exportRoleMatrix,
  async run(input, ctx) {
    const roles = await own(ctx.db)
      .selectFrom('identityRole')
      .select(['id', 'name'])
      .where('deletedAt', 'is', null)
      .orderBy('id')
      .execute();
    const columns: readonly ExportColumn<Row>[] = [
      { key: 'label', label: '权限', width: 30, value: (row) => row.label },
      { key: 'code', label: '权限编码', width: 30, value: (row) => row.code },
      { key: 'domain', label: '领域', value: (row) => row.domain },
      { key: 'risk', label: '风险', dictionary: risks, value: (row) => row.risk },
      ...roles.map(({ id, name }): ExportColumn<Row> => ({
        key: `role${id}`,
        label: name,
        value: (row) => (row.holders.has(id) ? '✓' : ''),
      })),
    ];
    const source = exportSource({
      call: exportRoleMatrix,
      title: '权限矩阵',
      routeKey: 'roleManagement',
      permission: identityPermissions['role.view'].code,
      columns,
      count: async ({ db }) =>
        Number(
          (
            await own(db)
              .selectFrom('identityPermissionCatalogue')
              .select(({ fn }) => fn.countAll<string>().as('n'))
              .executeTakeFirstOrThrow()
          ).n,
        ),
      async *chunks({ db }) {
        const permissions = await own(db)
          .selectFrom('identityPermissionCatalogue')
          .select(['code', 'label', 'domain', 'risk'])
          .orderBy('code')
          .execute();
        const grants = Map.groupBy(
          await own(db).selectFrom('identityRolePermission').select(['roleId', 'code']).execute(),
          ({ code }) => code,
        );
        yield permissions.map((permission): Row => ({
          ...permission,
          holders: new Set((grants.get(permission.code) ?? []).map(({ roleId }) => roleId)),
        }));
      },
    });
    const handler = exportHandler(source, core.kernel);
    if (handler.mode !== 'procedure') throw new Error('an export opens its own transactions');
    return handler.run(input, ctx);
  },
});
