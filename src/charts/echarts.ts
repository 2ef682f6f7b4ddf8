import { LineChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

// Named imports in a file of their own: the bundle leaves out the nine tenths of echarts that no chart of ours uses.
use([LineChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

export { init };
