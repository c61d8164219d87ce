import * as z from 'zod/mini';
import { access } from '#kernel/contract/call.ts';
import { field } from '#kernel/contract/field.ts';
import { declareService } from '#kernel/contract/service.ts';

// In a file of its own: every page loads it with the shell, and nothing else of the system's services.
const service = declareService('SystemService');

export interface Division {
  adcode: string;
  name: string;
  districts: Division[];
}
const division: z.ZodMiniType<Division> = z.lazy(() =>
  z.strictObject({ adcode: z.string(), name: z.string(), districts: z.array(division) }),
);

export const queryAdministrativeDivision = service.read({
  operation: 'queryAdministrativeDivision',
  label: '查询省市区',
  access: access.session,
  input: { parentAdcode: field('上级地区', z.optional(z.string().check(z.regex(/^\d{6}$/, '区域编码不正确')))) },
  output: z.strictObject({ cityList: z.array(division) }),
});
