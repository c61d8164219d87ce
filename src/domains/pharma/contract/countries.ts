/** Countries and regions that pharma companies come from, by ISO 3166; China first. */
export const countries: readonly (readonly [code: string, name: string])[] = [
  ['CN', '中国'], ['HK', '中国香港'], ['MO', '中国澳门'], ['TW', '中国台湾'], ['US', '美国'], ['GB', '英国'], ['DE', '德国'], ['FR', '法国'], ['CH', '瑞士'], ['IE', '爱尔兰'], ['DK', '丹麦'], ['SE', '瑞典'], ['NO', '挪威'], ['FI', '芬兰'],
  ['BE', '比利时'], ['NL', '荷兰'], ['AT', '奥地利'], ['IT', '意大利'], ['ES', '西班牙'], ['PT', '葡萄牙'], ['PL', '波兰'], ['HU', '匈牙利'], ['CZ', '捷克'], ['SI', '斯洛文尼亚'], ['GR', '希腊'], ['TR', '土耳其'], ['RU', '俄罗斯'],
  ['IL', '以色列'], ['IN', '印度'], ['JP', '日本'], ['KR', '韩国'], ['SG', '新加坡'], ['AU', '澳大利亚'], ['NZ', '新西兰'], ['CA', '加拿大'], ['MX', '墨西哥'], ['BR', '巴西'], ['AR', '阿根廷'],
  ['LU', '卢森堡'], ['HR', '克罗地亚'], ['RO', '罗马尼亚'], ['BG', '保加利亚'], ['MY', '马来西亚'], ['TH', '泰国'], ['VN', '越南'], ['ID', '印度尼西亚'], ['PH', '菲律宾'], ['PK', '巴基斯坦'], ['BD', '孟加拉国'], ['CL', '智利'], ['CU', '古巴'],
  ['ZA', '南非'], ['EG', '埃及'], ['JO', '约旦'], ['AE', '阿联酋'], ['SA', '沙特阿拉伯'],
];

const names = new Map(countries);

export const countryName = (code: string): string => names.get(code) ?? code;
