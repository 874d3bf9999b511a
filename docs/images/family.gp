# The figure of README.md: four thresholds and their activations. From the root of the tree, with build/limen there:
#   gnuplot docs/images/family.gp
set terminal svg size 900,330 dynamic font "sans-serif,14" background "white"
set output "docs/images/family.svg"
set datafile separator ","

activations = "relu gelu silu uelu"
titles = "'certain: ReLU' 'normal: GELU' 'logistic: SiLU' 'uniform: UELU, beta 1.25'"
colours = "'#555555' '#1f77b4' '#2ca02c' '#d62728'"

# One row a point; columns 4 (value) and 7 (gate) of `limen eval --csv`.
rows(name) = sprintf("< (echo activation,params,z; seq -4 0.05 4 | sed 's/^/%s,,/') | build/limen eval --csv - | tail -n +2", name)

set multiplot layout 1,2 margins 0.06,0.98,0.12,0.88 spacing 0.08
set grid lc rgb "#dddddd"
set border lc rgb "#888888"
set xrange [-4:4]
set key top left reverse Left samplen 2
set title "Gate F(z): the share of thresholds that z clears"
set yrange [-0.05:1.05]
plot for [i=1:4] rows(word(activations, i)) using 3:7 with lines lw 2 lc rgb word(colours, i) notitle
set title "Activation z F(z): what passes"
set yrange [-0.5:4]
plot for [i=1:4] rows(word(activations, i)) using 3:4 with lines lw 2 lc rgb word(colours, i) title word(titles, i)
unset multiplot
