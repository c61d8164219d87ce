import type { FastifyInstance } from 'fastify';
import type { PermissionDeclaration } from '../../../../kernel/contract/permission.ts';
import type { RouteDeclaration } from '../../../../kernel/contract/route.ts';
import type { ExportSource } from '../../../../kernel/server/exporting/source.ts';
import type { Handler } from '../../../../kernel/server/handler.ts';
import type { JobDeclaration } from '../../../../kernel/server/jobs/declaration.ts';
import type { Kernel } from '../../../../kernel/server/kernel.ts';
import type { ChooseLive } from '../landing/record.ts';

interface WecomParts {
  permissions(all: readonly PermissionDeclaration[]): readonly PermissionDeclaration[];
  routes(all: readonly RouteDeclaration[]): readonly RouteDeclaration[];
  handlers: readonly Handler[];
  jobs: readonly JobDeclaration<never>[];
  exports: readonly ExportSource[];
  chooseLive: ChooseLive;
  http(app: FastifyInstance): void;
}

const ofWecom = /^channel\.(wecom|liveCode|contact|sensitive)\./;

export const wecomParts = (_kernel: Kernel): WecomParts => ({
  permissions: (all) => all.filter(({ code }) => !ofWecom.test(code)),
  routes: (all) => all.filter(({ path }) => path !== '/weChatWorkManagement'),
  handlers: [],
  jobs: [],
  exports: [],
  chooseLive: async () => ({ liveMemberId: null, memberName: null, qrUrl: null, offHoursText: '' }),
  http: () => {},
});
