import common from './common.json';
import home from './home.json';
import table from './table.json';

export default { common, home, table };
