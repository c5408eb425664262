# Recompute every table of a report from this bundle's CSV files. R 4, no packages.
#
#   Rscript analysis/recompute.R REPORT     compare with the CSV tables of a report's folder
#
# It prints one line per table and exits with 1 if any value differs by more than 1e-9. Intervals and
# the p of more than 10 pairs need NumPy's random numbers, which it makes itself (PCG64 below).
#
# It shares no code with hjstudy. Taken as given: the bots' expected scores (episode.floor_*),
# variant.contextual_bias, variant.share_determined, and the paper's published means (below).

args <- commandArgs(FALSE)
here <- dirname(normalizePath(sub("^--file=", "", args[grep("^--file=", args)][1])))
DATA <- file.path(dirname(here), "data")
REPORT <- commandArgs(TRUE)[1]
TOLERANCE <- 1e-9
TASKS <- c("A-Add", "A-Comp", "A-Cond", "A-Over", "P-Add", "P-Comp", "P-Cond", "P-Over")
FAMILIES <- c("attribute", "procedural")
BOTS <- c("oracle", "inducer", "enumerator", "copycat", "eliminator", "neighbour", "prior")
COVERAGES <- c("0", "1/3", "2/3", "1", "2")
NEVER <- c("no_consent", "screened_out", "failed_check", "over_quota", "withdrawn")
ERASED <- "not known: data erased"
PAGES <- c("consent", ERASED, "instructions", "before the first command", "questions", "practice",
           "comprehension", "world", "last_forms", "finished")
LABEL <- c(first = "first episodes", all = "all episodes")
FIGURES <- c("success_rate", "norm_eff", "ecsr", "ecsr_missing", "attempt_norm_eff",
             "attempt_ecsr", "norm_eff_clean", "ecsr_clean")
PAPER <- read.table(text = "
ECSR Qwen3.5-27B          .22 .42 .29 .33 .41 .01 .26 .17
ECSR Gemini-3.1-Flash     .49 .45 .29 .60 .48 .00 .05 .18
ECSR GPT-OSS-120B         .85 .91 .38 .70 .45 .03 .26 .47
ECSR GPT-5.4-mini         .65 .93 .35 .83 .35 .12 .16 .21
ECSR Llama-4              .13 .58 .30 .48 .42 .00 .00 .04
ECSR Olmo3.1-32B-Instruct .36 .20 .23 .25 .31 .01 .00 .05
ECSR Humans               .63 .75 .57 .78 .61 .57 .62 .58
RV   Qwen3.5-27B          .12 .30 .03 .07 .00 .00 .03 .03
RV   Gemini-3.1-Flash     .47 .47 .00 .00 .10 .03 .00 .00
RV   GPT-OSS-120B         .47 .80 .20 .42 .45 .42 .00 .53
RV   GPT-5.4-mini         .47 .60 .00 .42 .42 .07 .00 .30
RV   Llama-4              .03 .20 .00 .00 .00 .00 .00 .10
RV   Olmo3.1-32B-Instruct .05 .00 .00 .00 .00 .00 .00 .05
RV   Humans               .71 .79 .64 1.00 .71 .57 .57 .71
", col.names = c("measure", "name", TASKS), check.names = FALSE)

# ---- reading --------------------------------------------------------------------------------

csv <- function(path) {
  read.csv(path, colClasses = "character", na.strings = "", check.names = FALSE,
           encoding = "UTF-8")
}

table_of <- function(name) {
  path <- Sys.glob(file.path(DATA, paste0("*_level-", gsub("_", "", name), "_data.csv")))
  if (length(path) != 1) stop("no table ", name, " in ", DATA)
  csv(path)
}

setting <- function(name) {
  text <- paste(readLines(file.path(REPORT, "report.json"), encoding = "UTF-8"), collapse = "\n")
  text <- sub('^.*\n "settings": \\{', "", text)
  found <- regmatches(text, regexpr(sprintf('"%s": [^,\n]*', name), text))
  gsub('"', "", sub("^[^:]*: ", "", found))
}

num <- function(x) ifelse(is.na(x), 0, as.numeric(x))
yes <- function(x) !is.na(x) & x == "true"
average <- function(x) if (any(!is.na(x))) mean(x[!is.na(x)]) else NA_real_
in_order <- function(found, known) {
  c(known[known %in% found], sort(setdiff(unique(found), known), method = "radix"))
}

plays_of <- function(rows) {
  direct <- rows$format == "direct"
  stated <- !is.na(rows$stated_item) | !is.na(rows$stated_activity)
  found <- data.frame(
    block = rows$block_id, person = rows$participant_id, id = rows$episode_id,
    state = rows$state, index = as.integer(rows$episode_index),
    actions = num(rows$actions_used), mistyped = num(rows$mistyped),
    attempts = num(rows$attempts), ref = num(rows$ref_length), tries = num(rows$n_tries),
    right = ifelse(direct & stated, as.numeric(yes(rows$success)), NA),
    voided = yes(rows$voided), ms = as.numeric(rows$duration_ms), in_play = rep(FALSE, nrow(rows))
  )
  for (bot in BOTS) found[[bot]] <- as.numeric(rows[[paste0("floor_", bot)]])
  found$counts <- (found$actions > 0 | !is.na(found$right)) & !found$voided
  found
}

# The scores of one unit (a player's block) over some of its plays.
scores_of <- function(plays) {
  efficiency <- function(plays, t) (plays$tries / t - 1) / (plays$tries - 1)
  p <- plays[!plays$voided & plays$actions > 0, ]
  won <- p[p$state == "won", ]
  by_actions <- efficiency(won, won$actions / won$ref)
  clean <- efficiency(won, (won$actions - won$mistyped) / won$ref)
  by_attempts <- pmax(0, efficiency(won, won$attempts))
  over <- function(x, n) if (n > 0) sum(x) / n else NA_real_
  bots <- vapply(BOTS, function(bot) mean(plays[plays$counts, bot]), 0)
  c(success_rate = over(rep(1, nrow(won)), nrow(p)), norm_eff = average(by_actions),
    ecsr = over(by_actions, nrow(p)), ecsr_missing = over(by_actions, sum(p$state != "open")),
    attempt_norm_eff = average(by_attempts), attempt_ecsr = over(by_attempts, nrow(p)),
    norm_eff_clean = average(clean), ecsr_clean = over(clean, nrow(p)), episodes = nrow(p), bots)
}

# Add the scores of first and of all episodes, and the share of right stated answers.
scored <- function(units, plays) {
  if (!nrow(units)) return(units)
  own <- split(plays[!plays$in_play, ], factor(plays$block[!plays$in_play], units$block_id))
  for (which in names(LABEL)) {
    found <- t(vapply(own, function(p) {
      scores_of(if (which == "first") p[p$index == 1, ] else p)
    }, numeric(length(FIGURES) + 1 + length(BOTS))))
    found[units$format == "direct", FIGURES] <- NA
    for (name in colnames(found)) units[[paste0(which, ".", name)]] <- found[, name]
  }
  units$accuracy <- vapply(own, function(p) average(p$right[!p$voided]), 0)
  units$accuracy[units$format != "direct"] <- NA
  units$answers <- vapply(own, function(p) sum(!is.na(p$right) & !p$voided) + 0, 0)
  units
}

# RV of each row: half of its score, or an eighth of the sum of its four criteria.
with_rv <- function(rows) {
  criteria <- Reduce(`+`, lapply(c("inputs", "output", "structure", "generality"),
                                 function(name) as.numeric(rows[[name]])))
  score <- as.numeric(rows$value)
  rows$rv <- ifelse(is.na(score), criteria / 8, score / 2)
  rows
}
rv_of <- function() {
  judge <- with_rv(table_of("judge"))
  rating <- with_rv(table_of("rating"))
  rating <- rating[rating$role %in% c("main", "gold") & num(rating[["repeat"]]) == 0, ]
  decided <- with_rv(table_of("adjudication"))
  decided <- decided[!is.na(decided$rv), ]
  decided <- decided[order(num(decided$round), decided$rv), ]
  items <- unique(c(judge$item_id, rating$item_id, decided$item_id))
  by_item <- function(rows) {
    vapply(items, function(i) average(rows$rv[rows$item_id == i]), 0)
  }
  found <- data.frame(item = items, judge = by_item(judge), human = by_item(rating))
  last <- decided[!duplicated(decided$item_id, fromLast = TRUE), ]
  final <- last$rv[match(items, last$item_id)]
  found$final <- ifelse(is.na(final), found$human, final)
  found
}

# ---- the study ------------------------------------------------------------------------------

keep_excluded <- setting("keep_excluded") == "true"
main_rv <- paste0("rv.", setting("main_rv"))
idle_ms <- as.numeric(setting("idle_minutes")) * 60000
people <- table_of("participant")
episodes <- table_of("episode")
plays <- plays_of(episodes[episodes$kind == "main", ])
excluded <- if (keep_excluded) rep(FALSE, nrow(people)) else !is.na(people$excluded)
counting <- people$participant_id[
  !yes(people$is_test) & !(people$state %in% NEVER) & !excluded &
    people$participant_id %in% plays$person[plays$counts]]
people <- people[!yes(people$is_test) & !excluded, ]
active <- people$participant_id[people$state == "active"]
plays$in_play <- plays$state == "open" & plays$person %in% active
blocks <- table_of("block")
units <- blocks[blocks$participant_id %in% counting, ]
units$player <- units$participant_id
plays <- plays[plays$block %in% units$block_id, ]
plays <- plays[order(match(plays$block, units$block_id), plays$index), ]
units <- scored(units, plays)
explanations <- table_of("explanation")
explanations <- explanations[order(num(explanations$episode_index)), ]
rv <- rv_of()
unit_counts <- !is.na(units$all.ecsr) | !is.na(units$accuracy)
for (side in c("rv", "first_rv")) {
  own <- explanations[!duplicated(explanations$block_id, fromLast = side == "rv"), ]
  item <- own$explanation_id[match(units$block_id, own$block_id)]
  if (side == "rv") units$written <- !is.na(item) & unit_counts
  for (kind in c("judge", "human", "final")) {
    units[[paste0(side, ".", kind)]] <- ifelse(unit_counts, rv[[kind]][match(item, rv$item)], NA)
  }
}
played <- units[units$format == "episodic", ]
variants <- table_of("variant")
timing <- table_of("timing")

# ---- random numbers --------------------------------------------------------------------------
#
# NumPy's default_rng(seed).integers(0, n): PCG64 (XSL-RR, 128 bits of state), seeded by
# SeedSequence; each output gives two words of 32 bits, the lower one first; Lemire's method turns
# a word into a number below n. Numbers of 128 bits are lists of 8 limbs of 16 bits, lowest first.

SEED <- as.numeric(setting("seed"))
REPLICATES <- as.integer(setting("replicates"))
WORD <- 2^32
LIMB <- 2^16
BLOCK <- 2^14
xor32 <- function(a, b) {
  bitwXor(a %/% LIMB, b %/% LIMB) * LIMB + bitwXor(a %% LIMB, b %% LIMB)
}
times32 <- function(a, b) (((a %/% LIMB) * b) %% LIMB * LIMB + (a %% LIMB) * b) %% WORD
shifted <- function(a) xor32(a, a %/% LIMB)

seed_words <- function(seed) {
  given <- c(seed %% WORD, seed %/% WORD, 0, 0)
  const <- 0x43b0d7e5
  hashed <- function(value) {
    value <- xor32(value, const)
    const <<- times32(const, 0x931e8875)
    shifted(times32(value, const))
  }
  mixed <- function(x, y) shifted((times32(0xca01f9dd, x) - times32(0x4973f715, y)) %% WORD)
  pool <- vapply(given, hashed, 0)
  for (from in 1:4) for (to in setdiff(1:4, from)) pool[to] <- mixed(pool[to], hashed(pool[from]))
  const <- 0x8b51f9dd
  vapply(0:7, function(i) {
    value <- xor32(pool[i %% 4 + 1], const)
    const <<- times32(const, 0x58f38ded)
    shifted(times32(value, const))
  }, 0)
}
limbs_of <- function(words) as.list(rbind(words %% LIMB, words %/% LIMB)) # lowest word first
carried <- function(limbs) {
  over <- 0
  for (k in 1:8) {
    sum <- limbs[[k]] + over
    limbs[[k]] <- sum %% LIMB
    over <- sum %/% LIMB
  }
  limbs
}
plus <- function(a, b) carried(Map(`+`, a, b))
product <- function(a, b) {
  carried(lapply(1:8, function(k) Reduce(`+`, lapply(1:k, function(i) a[[i]] * b[[k + 1 - i]]))))
}
MULTIPLIER <- limbs_of(c(0x9fccf645, 0x4385df64, 0x1fc65da4, 0x2360ed05))

# A function that gives the next `count` whole numbers from 0 to below `n`.
generator <- function(seed, n) {
  words <- seed_words(seed)
  start <- limbs_of(words[c(3, 4, 1, 2)])
  step <- limbs_of(words[c(7, 8, 5, 6)])
  step <- carried(lapply(1:8, function(k) step[[k]] * 2 + (k == 1)))
  a <- MULTIPLIER
  state <- plus(product(plus(step, start), a), step)
  state <- plus(product(state, a), step)
  while (length(state[[1]]) < BLOCK) { # the next as many states are a * state + step
    state <- Map(c, state, plus(product(state, a), step))
    step <- plus(product(step, a), step)
    a <- product(a, a)
  }
  output <- function() {
    x <- vapply(1:4, function(k) bitwXor(state[[k]], state[[k + 4]]) + 0, state[[1]])
    turn <- state[[8]] %/% 1024
    skip <- turn %/% 16
    bits <- 2^(turn %% 16)
    row <- seq_along(turn)
    out <- lapply(0:3, function(j) {
      low <- x[cbind(row, (j + skip) %% 4 + 1)]
      high <- x[cbind(row, (j + skip + 1) %% 4 + 1)]
      low %/% bits + (high * (LIMB / bits)) %% LIMB
    })
    state <<- plus(product(state, a), step)
    as.vector(rbind(out[[1]] + LIMB * out[[2]], out[[3]] + LIMB * out[[4]]))
  }
  left <- numeric()
  function(count) {
    while (length(left) < count) {
      wide <- output() * n
      left <<- c(left, (wide %/% WORD)[wide %% WORD >= (WORD - n) %% n])
    }
    found <- left[seq_len(count)]
    left <<- left[-seq_len(count)]
    found
  }
}

# How often each player is drawn: matrices (players, rows), the same for every figure.
drawn <- local({
  known <- list()
  function(players) {
    name <- as.character(players)
    if (is.null(known[[name]])) {
      pick <- generator(SEED, players)
      size <- max(1, 250000 %/% players)
      made <- list()
      while (sum(vapply(made, ncol, 0)) < REPLICATES) {
        rows <- min(size, REPLICATES - sum(vapply(made, ncol, 0)))
        at <- pick(rows * players) + rep(seq_len(rows) - 1, each = players) * players
        made <- c(made, list(matrix(tabulate(at + 1, rows * players), players)))
      }
      known[[name]] <<- made
    }
    known[[name]]
  }
})

# ---- figures with intervals -------------------------------------------------------------------

without <- function(value, reason) list(value = value, low = NA_real_, high = NA_real_, reason = reason)
# An interval leaves out Phi(-reach) of the replicates on each side. They vary too little (wide), as
# a variance that is divided by n and not by n - 1 does, and Student's t is due: with Welch's degrees
# of freedom, or with those of all players together if they are fewer. NA: too few players.
reach_of <- function(sums, counts, signs) {
  whole <- colSums(counts)
  n <- whole^2 / colSums(counts^2)
  none <- c(wide = NA_real_, t = NA_real_)
  if (any(n < 1 + 1e-6)) return(none)
  centred <- sums - sweep(counts, 2, colSums(sums) / whole, `*`)
  variance <- signs^2 * colSums(sweep(centred, 2, whole, `/`)^2)
  if (all(variance == 0)) return(c(wide = 1, t = qnorm(0.975)))
  wide <- variance * n / (n - 1)
  own <- counts %*% (variance / whole)
  freedom <- min(sum(wide)^2 / sum(wide^2 / (n - 1)), sum(variance)^2 / sum(own^2) - 1)
  if (freedom < 9 - 1e-6) return(none)
  c(wide = sqrt(sum(wide) / sum(variance)), t = qt(0.975, freedom))
}
interval <- function(value, replicates, reach) {
  good <- replicates[!is.na(replicates)]
  if (length(replicates) - length(good) > 0.05 * length(replicates)) {
    return(without(value, "too few players: more than 5 % of the replicates are undefined"))
  }
  tail <- pnorm(-if (is.na(reach)) qnorm(0.975) else reach)
  ends <- quantile(good, c(tail, 1 - tail), names = FALSE)
  if (ends[2] - ends[1] < 1e-12) return(without(value, "no variance: no interval"))
  if (is.na(reach)) return(without(value, "too few players: an interval needs 10"))
  list(value = value, low = ends[1], high = ends[2], reason = "")
}
# Units that are made up: half an episode that is lost (0) and half a one that is won (1), since
# few failures are seen if nearly everyone succeeds. A list of matrices (replicates, samples).
made_up <- local({
  known <- numeric()
  pick <- NULL
  function(rates) {
    if (is.null(pick)) pick <<- generator(SEED + 1, 1e6)
    needed <- 2 * length(rates) * REPLICATES
    if (length(known) < needed) known <<- c(known, pick(needed - length(known)))
    counts <- function(kind) {
      found <- vapply(seq_along(rates), function(place) {
        at <- known[(2 * place + kind - 3) * REPLICATES + seq_len(REPLICATES)]
        limits <- cumsum(exp(-rates[place]) * cumprod(c(1, rates[place] / 1:20))) * 1e6
        findInterval(at, limits[limits < 999999.999])
      }, numeric(REPLICATES))
      matrix(found, REPLICATES)
    }
    list(lost = counts(1), won = counts(2))
  }
})
# Sum of sign x mean of each sample (a data frame of player and value), over players. A sample may
# have a column of episodes behind each value, see made_up.
combined <- function(samples, signs, pad = FALSE) {
  samples <- lapply(samples, function(one) one[!is.na(one$value), ])
  players <- unique(unlist(lapply(samples, `[[`, "player")))
  if (!length(samples) || any(vapply(samples, nrow, 0) == 0)) return(without(NA_real_, "no data"))
  value <- sum(signs * vapply(samples, function(one) mean(one$value), 0))
  if (length(players) == 1) return(without(value, "one player: no interval"))
  by_player <- function(x, one) {
    found <- numeric(length(players))
    sums <- tapply(x, match(one$player, players), sum)
    found[as.integer(names(sums))] <- sums
    found
  }
  sums <- vapply(samples, function(one) by_player(one$value, one), numeric(length(players)))
  counts <- vapply(samples, function(one) by_player(one$value * 0 + 1, one), numeric(length(players)))
  each <- drawn(length(players))
  drawn_sums <- do.call(rbind, lapply(each, function(times) t(times) %*% sums))
  drawn_counts <- do.call(rbind, lapply(each, function(times) t(times) %*% counts))
  replicates <- function(lost, won) {
    as.vector(((drawn_sums + won) / (drawn_counts + lost + won)) %*% signs)
  }
  reach <- reach_of(sums, counts, signs)
  made <- interval(value, replicates(0, 0), reach[["wide"]] * reach[["t"]])
  rates <- vapply(samples, function(one) nrow(one) / sum(one$episodes) / 2, 0)
  if (!pad || is.na(made$low) || anyNA(rates)) return(made)
  more <- made_up(rates)
  interval(value, replicates(more$lost, more$won), reach[["t"]])
}
# How many episodes are behind a value from 0 to 1 of each unit; NA for other values.
episodes_of <- function(u, name) {
  if (grepl("norm_eff", name)) return(NA)
  if (grepl("^(first_)?rv[.]", name)) return(1)
  if (name == "accuracy") return(u$answers)
  if (grepl("^(first|all)[.]", name)) u[[sub("[.].*", ".episodes", name)]] else NA
}
sample_of <- function(u, name) {
  data.frame(player = u$player, value = u[[name]], episodes = rep_len(episodes_of(u, name), nrow(u)))
}
total_of <- function(groups, name) {
  samples <- lapply(groups, sample_of, name)
  found <- combined(samples, rep(1 / length(samples), length(samples)), pad = TRUE)
  missing <- names(groups)[vapply(samples, function(one) all(is.na(one$value)), TRUE)]
  if (length(missing) > 0 && length(missing) < length(groups)) {
    found$reason <- paste("no value in", paste(missing, collapse = ", "))
  }
  found
}
mean_of <- function(u, name) combined(list(sample_of(u, name)), 1, pad = TRUE)
difference_of <- function(one, other, a, b) {
  samples <- c(rbind(lapply(one, sample_of, a), lapply(other, sample_of, b)))
  combined(samples, rep(c(1, -1) / length(one), length(one)))
}
cells <- function(name, figure) setNames(figure, paste0(name, c("", "_low", "_high", "_reason")))
many <- function(names, make) do.call(c, lapply(names, function(name) cells(name, make(name))))

spearman <- function(player, x, y) {
  n <- length(x)
  if (n < 2) return(without(NA_real_, "fewer than 2 points"))
  if (length(unique(x)) == 1 || length(unique(y)) == 1) return(without(NA_real_, "x or y does not vary"))
  players <- unique(player)
  value <- cor(rank(x), rank(y))
  if (length(players) == 1) return(without(value, "one player: no interval"))
  centred <- function(values, times) {
    group <- match(values, sort(unique(values)))
    size <- rowsum(times, group)
    upto <- apply(size, 2, cumsum)
    ranks <- (upto - size / 2 + 1 / 2)[group, , drop = FALSE]
    sweep(ranks, 2, colSums(times * ranks) / colSums(times))
  }
  replicates <- unlist(lapply(drawn(length(players)), function(all) {
    times <- all[match(player, players), , drop = FALSE]
    a <- centred(x, times)
    b <- centred(y, times)
    spread <- colSums(times * a * a) * colSums(times * b * b)
    ifelse(spread > 1e-9, colSums(times * a * b) / sqrt(spread), NA_real_)
  }))
  n <- n^2 / sum(table(player)^2)
  reach <- if (n < 10 - 1e-6) NA_real_ else sqrt(n / (n - 1)) * qt(0.975, n - 1)
  interval(value, replicates, reach)
}

# ---- groups ---------------------------------------------------------------------------------

conditions <- function(u) {
  found <- unique(u[c("lexicon", "coverage")])
  own <- found$lexicon == "semantic" & found$coverage == "1"
  found <- found[order(!own, found$lexicon, found$coverage, method = "radix"), ]
  lapply(seq_len(nrow(found)), function(i) list(lexicon = found$lexicon[i],
                                                coverage = found$coverage[i]))
}
of <- function(u, h) u[u$lexicon == h$lexicon & u$coverage == h$coverage, ]
by_task <- function(u) {
  tasks <- in_order(u$task, TASKS)
  setNames(lapply(tasks, function(task) u[u$task == task, ]), tasks)
}
total <- function(groups, name) mean(vapply(groups, function(u) average(u[[name]]), 0))
bots_of <- function(groups, which) {
  means <- lapply(groups, function(u) {
    u <- u[!is.na(u[[paste0(which, ".ecsr")]]), ]
    colMeans(u[paste0(which, ".", BOTS)])
  })
  means <- means[vapply(means, function(one) !all(is.nan(one)), TRUE)]
  if (length(means)) setNames(Reduce(`+`, means) / length(means), BOTS) else rep(NA_real_, 7)
}
best_floor <- function(bots, groups) {
  if (all(unlist(lapply(groups, `[[`, "coverage")) == "0")) return(bots[["prior"]])
  max(bots[3:7])
}
marks <- function(groups, which, prefix = "") {
  bots <- bots_of(groups, which)
  found <- list(NA_real_, NA_real_)
  if (!anyNA(bots)) found <- list(best_floor(bots, groups), bots[["inducer"]])
  setNames(found, paste0(prefix, c("best_floor", "ceiling")))
}
head_of <- function(h, name) list(lexicon = h$lexicon, coverage = h$coverage, task = name)
size_of <- function(u) list(players = length(unique(u$player)), units = nrow(u))
levels_of <- function(tasks) {
  family <- vapply(tasks, function(u) u$family[1], "")
  names <- in_order(family, FAMILIES)
  own <- lapply(names, function(name) names(tasks)[family == name])
  found <- lapply(names(tasks), function(task) {
    list(name = task, tasks = task, tests = sum(family == family[[task]]))
  })
  found <- c(found, lapply(seq_along(names), function(i) {
    list(name = names[i], tasks = own[[i]], tests = length(names))
  }))
  if (length(tasks) > 1) found <- c(found, list(list(name = "Total", tasks = names(tasks), tests = 1)))
  found
}
means_by <- function(values, keys) {
  kept <- !is.na(values)
  vapply(split(values[kept], keys[kept]), mean, 0)
}
tested <- function(ours, theirs, tests) {
  both <- intersect(names(ours), names(theirs))
  d <- ours[both] - theirs[both]
  n <- length(d)
  p <- NA_real_
  if (n > 10) {
    signs <- 1 - 2 * matrix(generator(SEED, 2)(5000 * n), n)
    p <- (1 + sum(abs(colSums(signs * d)) >= abs(sum(d)) - 1e-12 * sum(abs(d)))) / 5001
  }
  if (n > 0 && n <= 10) {
    sums <- as.matrix(expand.grid(rep(list(c(1, -1)), n))) %*% d
    p <- mean(abs(sums) >= abs(sum(d)) - 1e-12 * sum(abs(d)))
  }
  list(pairs = n, mean_difference = if (n) mean(d) else NA_real_, p = p, tests = tests,
       p_adjusted = min(1, p * tests))
}
contrast <- function(left, right, a, b, key, names = NULL) {
  ours <- by_task(left[!is.na(left[[a]]), ])
  theirs <- by_task(right[!is.na(right[[b]]), ])
  ours <- ours[names(ours) %in% names(theirs)]
  lapply(if (length(ours)) levels_of(ours) else list(), function(level) {
    one <- ours[level$tasks]
    other <- theirs[level$tasks]
    l <- do.call(rbind, one)
    r <- do.call(rbind, other)
    values <- list(total(one, a), total(other, b))
    test <- tested(means_by(l[[a]], key(l)), means_by(r[[b]], key(r)), level$tests)
    figures <- if (length(names)) {
      c(cells(names[1], total_of(one, a)), cells(names[2], total_of(other, b)),
        cells(names[3], difference_of(one, other, a, b)))
    }
    list(name = level$name, one = one, other = other, test = test, figures = figures,
         values = c(values, values[[1]] - values[[2]]))
  })
}
same_variant <- function(u) paste(u$task, u$seed, u$variant_hash)
layouts <- vapply(variants$content, function(text) {
  pick <- function(pattern) regmatches(text, regexpr(pattern, text))
  all_of <- function(pattern, inside) regmatches(inside, gregexpr(pattern, inside))[[1]]
  entities <- all_of('"cell":(null|\\[[0-9]+,[0-9]+\\])[^{}]*"name":"[^"]*"', text)
  cells <- sub('"cell":(null|\\[[0-9]+,[0-9]+\\]).*', "\\1", entities)
  names(cells) <- sub('.*"name":"', "", entities)
  shown <- sub('.*"entity":"', "", all_of('"distractor":(true|false),"entity":"[^"]*"', text))
  paste(pick('"gen_cells":[^a-z]*"grid":[^a-z]*"hash"'), paste(cells[shown], collapse = " "))
}, "", USE.NAMES = FALSE)
same_layout <- function(u) {
  paste(u$task, u$seed, layouts[match(u$variant_hash, variants$variant_hash)])
}

# ---- tables ---------------------------------------------------------------------------------

bind <- function(rows) do.call(rbind, lapply(rows, function(row) data.frame(row, check.names = FALSE)))

baseline <- function(which) {
  rows <- list()
  for (h in conditions(played)) {
    u <- of(played, h)
    tasks <- by_task(u[!is.na(u[[paste0(which, ".ecsr")]]), ])
    line <- function(name, groups) {
      values <- many(FIGURES, function(one) total_of(groups, paste0(which, ".", one)))
      c(head_of(h, name), size_of(do.call(rbind, groups)), values,
        cells("rv", total_of(groups, main_rv)), marks(groups, which))
    }
    for (task in names(tasks)) rows <- c(rows, list(line(task, tasks[task])))
    if (length(tasks) > 1) rows <- c(rows, list(line("Total", tasks)))
  }
  bind(rows)
}

floors <- function(which) {
  rows <- list()
  for (h in conditions(played)) {
    u <- of(played, h)
    tasks <- by_task(u[!is.na(u[[paste0(which, ".ecsr")]]), ])
    line <- function(name, groups) {
      bots <- bots_of(groups, which)
      best <- if (anyNA(bots)) NA_real_ else best_floor(bots, groups)
      people <- total_of(groups, paste0(which, ".ecsr"))
      beaten <- if (is.na(best) || is.na(people$low)) NA else people$low > best
      c(head_of(h, name), cells("people", people), setNames(as.list(bots), BOTS),
        best_floor = best, beaten = c("false", "true")[beaten + 1])
    }
    for (task in names(tasks)) rows <- c(rows, list(line(task, tasks[task])))
    if (length(tasks) > 1) rows <- c(rows, list(line("Total", tasks)))
  }
  bind(rows)
}

rv_table <- function() {
  rows <- list()
  kinds <- c("judge", "human", "final")
  for (h in conditions(played)) {
    tasks <- by_task(of(played[played$written, ], h))
    for (task in names(tasks)) {
      u <- tasks[[task]]
      unrated <- sum(rowSums(!is.na(u[paste0("rv.", kinds)])) == 0)
      values <- c(many(kinds, function(kind) mean_of(u, paste0("rv.", kind))),
                  do.call(c, lapply(kinds, function(kind) {
                    cells(paste0(kind, "_first"), mean_of(u, paste0("first_rv.", kind)))
                  })))
      rows <- c(rows, list(c(head_of(h, task), written = nrow(u), unrated = unrated, values)))
    }
  }
  bind(rows)
}

points <- function() {
  rows <- list()
  for (h in conditions(played)) {
    rated <- of(played[!is.na(played[[main_rv]]), ], h)
    for (place in seq_len(nrow(people))) {
      tasks <- by_task(rated[rated$player == people$participant_id[place], ])
      for (task in names(tasks)) {
        u <- tasks[[task]]
        whole <- average(u$all.ecsr)
        row <- c(player = paste0("p", place), head_of(h, task), family = u$family[1],
                 rv = average(u[[main_rv]]), ecsr_first = average(u$first.ecsr), ecsr_all = whole)
        if (!is.na(whole)) rows <- c(rows, list(row))
      }
    }
  }
  bind(rows)
}

relation <- function() {
  every <- points()
  rows <- list()
  if (is.null(every)) return(NULL)
  for (h in conditions(every)) {
    for (which in names(LABEL)) {
      known <- of(every, h)
      y <- paste0("ecsr_", which)
      known <- known[!is.na(known[[y]]), ]
      for (family in c("all", in_order(known$family, FAMILIES))) {
        own <- known[family == "all" | known$family == family, ]
        a <- round(own$rv, 10)
        b <- round(own[[y]], 10)
        rows <- c(rows, list(c(list(lexicon = h$lexicon, coverage = h$coverage,
                                    episodes = LABEL[[which]], family = family,
                                    players = length(unique(own$player)), points = nrow(own)),
                               cells("rho", spearman(own$player, a, b)))))
      }
    }
  }
  bind(rows)
}

time_table <- function() {
  gaps <- timing[!is.na(timing$longest_gap_ms), ]
  over <- plays[plays$state != "open" & !plays$voided & !is.na(plays$ms), ]
  gap <- as.numeric(gaps$longest_gap_ms)[match(over$id, gaps$episode_id)]
  over$kept <- ifelse(is.na(gap), over$ms, gap) <= idle_ms
  rows <- list()
  for (h in conditions(played)) {
    u <- of(played, h)
    for (task in c(in_order(u$task, TASKS), "Total")) {
      own <- over[over$block %in% u$block_id[task == "Total" | u$task == task], ]
      for (which in names(LABEL)) {
        p <- if (which == "first") own[own$index == 1, ] else own
        q <- if (any(p$kept)) quantile(p$ms[p$kept] / 1000, c(.5, .25, .75), names = FALSE) else
          rep(NA_real_, 3)
        row <- c(head_of(h, task), episodes = LABEL[[which]], counted = sum(p$kept),
                 idle = sum(!p$kept), median_s = q[1], q1_s = q[2], q3_s = q[3])
        if (nrow(p)) rows <- c(rows, list(row))
      }
    }
  }
  bind(rows)
}

learning <- function() {
  rows <- list()
  for (h in conditions(played)) {
    u <- of(played[!is.na(played$all.ecsr), ], h)
    line <- function(over, place, own, rv) {
      c(lexicon = h$lexicon, coverage = h$coverage, over = over, place = place, size_of(own),
        many(c("success_rate", "ecsr"), function(one) mean_of(own, paste0("all.", one))),
        cells("rv", rv), marks(list(own), "all"))
    }
    for (place in sort(unique(as.integer(u$block_index)))) {
      own <- u[as.integer(u$block_index) == place, ]
      rows <- c(rows, list(line("worlds", place, own, mean_of(own, main_rv))))
    }
    mine <- plays[plays$block %in% u$block_id, ]
    for (place in sort(unique(mine$index))) {
      own <- scored(u, mine[mine$index == place, ])
      own <- own[!is.na(own$all.ecsr), ]
      if (nrow(own)) rows <- c(rows, list(line("episodes", place, own, without(NA_real_, "no data"))))
    }
  }
  bind(rows)
}

dropouts <- function() {
  page <- ifelse(yes(people$is_erased), ERASED, people$page)
  place <- "^w([0-9]+)(-g([0-9]+))?(-rule)?$"
  in_game <- grepl(place, page)
  part <- function(which) as.integer(sub(place, which, ifelse(in_game, page, "w0-g0")))
  at <- part("\\3")  # missing: the rule form of a world comes last
  is_rule <- grepl("-rule$", page)
  order_of <- order(match(ifelse(in_game, "world", page), PAGES), part("\\1"), at, is_rule)
  left <- nrow(people)
  rows <- list()
  for (one in unique(page[order_of])) {
    states <- people$state[page == one]
    gone <- states[!(states %in% c("active", "finished"))]
    kinds <- sort(unique(gone), method = "radix")
    counts <- vapply(kinds, function(kind) sum(gone == kind), 0)
    name <- c(questions = "questions before", last_forms = "last forms")[one]
    if (is.na(name)) {
      name <- sub("-rule$", ": rule", sub("-g([0-9]+)", ", guardian \\1", sub("^w([0-9])", "world \\1", one)))
    }
    told <- paste(kinds, counts, collapse = ", ", recycle0 = TRUE)
    rows <- c(rows, list(list(page = unname(name), reached = left, ended_here = length(gone),
                              still_here = sum(states == "active"), outcomes = told)))
    left <- left - length(states)
  }
  bind(rows)
}

format_gap <- function() {
  rows <- list()
  for (h in conditions(units)) {
    u <- of(units, h)
    lines <- contrast(u[u$format == "direct", ], u[u$format == "episodic", ], "accuracy",
                      "all.ecsr", same_variant, c("direct", "played", "gap"))
    for (line in lines) {
      rows <- c(rows, list(c(head_of(h, line$name), line$figures, line$test,
                             marks(line$other, "all"))))
    }
  }
  bind(rows)
}

lexicon <- function() {
  rows <- list()
  for (measure in c("ECSR", "RV")) {
    name <- if (measure == "ECSR") "all.ecsr" else main_rv
    for (h in conditions(played[played$lexicon == "semantic", ])) {
      other <- list(lexicon = "nonce", coverage = h$coverage)
      sides <- c("semantic", "nonce", "difference")
      for (line in contrast(of(played, h), of(played, other), name, name, same_layout, sides)) {
        none <- list(best_floor = NA_real_, ceiling = NA_real_)
        floors <- if (measure == "ECSR") {
          c(marks(line$one, "all", "semantic_"), marks(line$other, "all", "nonce_"))
        } else {
          c(setNames(none, paste0("semantic_", names(none))), setNames(none, paste0("nonce_", names(none))))
        }
        rows <- c(rows, list(c(measure = measure, coverage = h$coverage, task = line$name,
                               line$figures, line$test, floors)))
      }
    }
  }
  bind(rows)
}

proof_of <- function(u, name) {
  mean(as.numeric(variants[[name]][match(u$variant_hash, variants$variant_hash)]))
}

coverage <- function() {
  rows <- list()
  u <- played[!is.na(played$all.ecsr), ]
  for (words in in_order(u$lexicon, "semantic")) {
    tasks <- by_task(u[u$lexicon == words, ])
    for (task in names(tasks)) {
      for (share in COVERAGES[COVERAGES %in% tasks[[task]]$coverage]) {
        own <- tasks[[task]][tasks[[task]]$coverage == share, ]
        rows <- c(rows, list(c(
          list(lexicon = words, task = task, coverage = share), size_of(own),
          cells("ecsr_first", mean_of(own, "first.ecsr")), cells("ecsr", mean_of(own, "all.ecsr")),
          cells("rv", mean_of(own, main_rv)), contextual_bias = proof_of(own, "contextual_bias"),
          share_determined = proof_of(own, "share_determined"), marks(list(own), "all"))))
      }
    }
  }
  bind(rows)
}

paper <- function() {
  rows <- list()
  for (measure in c("ECSR", "RV")) {
    own <- PAPER[PAPER$measure == measure, ]
    own$average <- rowMeans(own[TASKS])
    models <- own[own$name != "Humans", ]
    lead <- own[own$name == "Humans", ]
    lead[c(TASKS, "average")] <- lead[c(TASKS, "average")] - models[which.max(models$average), c(TASKS, "average")]
    lead$name <- "Lead"
    rows <- c(rows, list(own, lead))
  }
  bind(rows)
}

against_paper <- function() {
  rows <- list()
  u <- of(played[played$task %in% TASKS, ], list(lexicon = "semantic", coverage = "1"))
  met <- by_task(u[!is.na(u$first.ecsr), ])
  for (measure in c("ECSR", "RV")) {
    value <- if (measure == "ECSR") "first.ecsr" else main_rv
    tasks <- by_task(u[!is.na(u[[value]]), ])
    published <- PAPER[PAPER$measure == measure, ]
    figures <- lapply(tasks, mean_of, value)
    if (length(tasks) > 1) figures$Average <- total_of(tasks, value)
    for (i in seq_len(nrow(published))) {
      for (task in c(names(tasks), if (length(tasks) > 1) "Average")) {
        names <- if (task == "Average") names(tasks) else task
        ours <- figures[[task]]
        theirs <- mean(unlist(published[i, names]))
        floors <- marks(if (task == "Average") met else met[names(met) == task], "first")
        if (measure == "RV") floors[] <- NA_real_
        rows <- c(rows, list(c(measure = measure, name = published$name[i], task = task,
                               cells("people", ours), published = theirs,
                               cells("difference", c(lapply(ours[1:3], `-`, theirs), ours[4])),
                               floors)))
      }
    }
  }
  bind(rows)
}

model_units <- function() {
  rows <- table_of("model_result")
  keys <- c("model", "task", "seed", "lexicon", "coverage", "format", "variant_hash")
  if (!nrow(rows)) return(NULL)
  rows$block_id <- do.call(paste, c(rows[keys], sep = "|"))
  u <- rows[!duplicated(rows$block_id), c(keys, "block_id")]
  known <- rbind(variants[c("task", "family")], blocks[c("task", "family")])
  family <- known$family[match(u$task, known$task)]
  by_name <- ifelse(startsWith(u$task, "P-"), "procedural", "attribute")
  u$family <- ifelse(is.na(family), by_name, family)
  u$player <- u$model
  rated <- rows[!is.na(rows$rv), ]
  rated <- rated[!duplicated(rated$block_id, fromLast = TRUE), ]
  u$rv <- as.numeric(rated$rv)[match(u$block_id, rated$block_id)]
  items <- table_of("item")
  items <- items[items$item_kind == "model", ]
  value <- rv[[sub("^rv.", "", main_rv)]][match(items$item_id, rv$item)]
  key <- paste(items$source, items$variant_hash, endsWith(items$item_id, "/direct"), sep = "|")
  known <- if (nrow(items)) means_by(value, key) else numeric()
  own <- paste(u$model, u$variant_hash, u$format == "direct", sep = "|")
  u$rv <- ifelse(is.na(u$rv), unname(known[own]), u$rv)
  p <- data.frame(
    block = rows$block_id, state = ifelse(yes(rows$success), "won", "lost"),
    index = as.integer(rows$episode_index), mistyped = 0, attempts = 1, voided = FALSE,
    actions = pmin(num(rows$actions_used), num(rows$ref_length) * num(rows$n_tries)),
    ref = num(rows$ref_length), tries = num(rows$n_tries), in_play = FALSE, counts = TRUE,
    right = ifelse(rows$format == "direct", as.numeric(yes(rows$success)), NA)
  )
  p[BOTS] <- NA_real_
  u$episodes <- as.integer(table(factor(p$block, u$block_id)))
  u <- scored(u, p)
  u[order(u$model, method = "radix"), ]
}

models <- function() {
  found <- model_units()
  rows <- list()
  measures <- list(c("ECSR", "first", "first.ecsr", "all.ecsr"), c("ECSR", "all", "all.ecsr", "all.ecsr"),
                   c("RV", "all", main_rv, "rv"), c("direct", "all", "accuracy", "accuracy"))
  for (model in unique(found$model)) {
    for (one in measures) {
      kind <- if (one[1] == "direct") "direct" else "episodic"
      left <- units[units$format == kind & !is.na(units[[one[3]]]), ]
      right <- found[found$model == model & found$format == kind & !is.na(found[[one[4]]]), ]
      for (h in conditions(left)) {
        l <- of(left, h)
        r <- of(right, h)
        shared <- any(l$variant_hash %in% r$variant_hash)
        key <- if (shared) "variant_hash" else "task"
        known <- means_by(r[[one[4]]], r[[key]])
        l <- l[l[[key]] %in% names(known), ]
        l$model_mean <- known[l[[key]]]
        l$gap <- l[[one[3]]] - l$model_mean
        tasks <- by_task(l)
        for (level in if (length(tasks)) levels_of(tasks) else list()) {
          own <- tasks[level$tasks]
          flat <- do.call(rbind, own)
          theirs <- r[shared & r$task %in% level$tasks, ]
          test <- tested(means_by(flat[[one[3]]], flat$variant_hash),
                         means_by(theirs[[one[4]]], theirs$variant_hash), level$tests)
          floors <- marks(own, one[2])
          if (one[1] != "ECSR") floors[] <- NA_real_
          rows <- c(rows, list(c(
            list(model = model, measure = one[1], episodes = one[2]), head_of(h, level$name),
            variants = if (shared) "same" else "other", cells("people", total_of(own, one[3])),
            model_mean = total(own, "model_mean"), cells("difference", total_of(own, "gap")),
            test, floors)))
        }
      }
    }
  }
  bind(rows)
}

models_format_gap <- function() {
  found <- model_units()
  rows <- list()
  for (model in unique(found$model)) {
    own <- found[found$model == model, ]
    for (h in conditions(own)) {
      u <- of(own, h)
      lines <- contrast(u[u$format == "direct", ], u[u$format == "episodic", ], "accuracy",
                        "all.ecsr", same_variant)
      for (line in lines) {
        values <- setNames(line$values, c("direct", "played", "gap"))
        rows <- c(rows, list(c(model = model, head_of(h, line$name), values, line$test)))
      }
    }
  }
  bind(rows)
}

SIGNS <- c(few_keys = "few keystrokes", pasted = "pasted", hidden = "away before a rule",
           even = "even tempo", automated = "driven by a program",
           alike = "like another\u2019s text", canary = "follows the hidden sentence")

signs_table <- function() {
  seen <- table_of("sign")
  rows <- list()
  for (h in if (nrow(seen)) conditions(played) else list()) {
    u <- of(played[!is.na(played$all.ecsr), ], h)
    having <- lapply(names(SIGNS), function(sign) {
      intersect(seen$participant_id[yes(seen[[paste0("sign_", sign)]])], u$player)
    })
    names(having) <- paste("without", SIGNS)
    groups <- c(list(everyone = character(), `without anyone with a sign` = unique(unlist(having))),
                having[lengths(having) > 0])
    for (name in names(groups)) {
      kept <- u[!(u$player %in% groups[[name]]), ]
      tasks <- by_task(kept)
      value <- function(column) if (length(tasks)) total_of(tasks, column) else mean_of(kept, column)
      scores <- many(c("success_rate", "norm_eff", "ecsr"), function(one) value(paste0("all.", one)))
      row <- c(lexicon = h$lexicon, coverage = h$coverage, people = name,
               left_out = length(groups[[name]]), size_of(kept), scores,
               cells("rv", value(main_rv)))
      rows <- c(rows, list(row))
    }
  }
  bind(rows)
}

models_points <- function() {
  found <- model_units()
  rows <- list()
  for (model in unique(found$model)) {
    own <- found[found$model == model, ]
    for (h in conditions(own)) {
      tasks <- by_task(of(own[!is.na(own$rv) & !is.na(own$all.ecsr), ], h))
      for (task in names(tasks)) {
        u <- tasks[[task]]
        rows <- c(rows, list(c(model = model, head_of(h, task), family = u$family[1],
                               rv = mean(u$rv), ecsr = mean(u$all.ecsr))))
      }
    }
  }
  bind(rows)
}

models_relation <- function() {
  p <- models_points()
  rows <- list()
  if (is.null(p)) return(NULL)
  seen <- unique(p[c("lexicon", "coverage")])
  for (i in seq_len(nrow(seen))) {
    here <- p[p$lexicon == seen$lexicon[i] & p$coverage == seen$coverage[i], ]
    for (family in c("all", in_order(here$family, FAMILIES))) {
      own <- here[family == "all" | here$family == family, ]
      x <- round(own$rv, 10)
      y <- round(own$ecsr, 10)
      varies <- length(unique(x)) > 1 && length(unique(y)) > 1
      rho <- if (varies) cor(x, y, method = "spearman") else NA_real_
      rows <- c(rows, list(list(lexicon = seen$lexicon[i], coverage = seen$coverage[i],
                                family = family, models = length(unique(own$model)),
                                points = nrow(own), rho = rho)))
    }
  }
  bind(rows)
}

models_coverage <- function() {
  found <- model_units()
  rows <- list()
  for (model in unique(found$model)) {
    own <- found[found$model == model & !is.na(found$all.ecsr), ]
    for (words in in_order(own$lexicon, "semantic")) {
      tasks <- by_task(own[own$lexicon == words, ])
      for (task in names(tasks)) {
        for (share in COVERAGES[COVERAGES %in% tasks[[task]]$coverage]) {
          u <- tasks[[task]][tasks[[task]]$coverage == share, ]
          rows <- c(rows, list(list(
            model = model, lexicon = words, task = task, coverage = share, units = nrow(u),
            ecsr = mean(u$all.ecsr), rv = average(u$rv),
            contextual_bias = proof_of(u, "contextual_bias"),
            share_determined = proof_of(u, "share_determined"))))
        }
      }
    }
  }
  bind(rows)
}

played_runs <- function() {
  runs <- table_of("model_run")
  runs[runs$kind == "play", ]
}

methods <- function() {
  runs <- played_runs()
  found <- model_units()
  if (is.null(found) || !nrow(runs)) return(NULL)
  found <- found[found$model %in% runs$label & found$format == "episodic", ]
  at <- match(found$model, runs$label)
  for (name in c("preset", "method")) found[[name]] <- runs[[name]][at]
  found$base <- runs$model[at]
  rows <- list()
  add <- function(name, preset, plain, method, after, key) {
    for (h in conditions(plain)) {
      for (line in contrast(of(after, h), of(plain, h), "all.ecsr", "all.ecsr", key)) {
        v <- line$values
        rows <<- c(rows, list(c(model = name, preset = preset, method = method,
                                head_of(h, line$name), plain = v[[2]], ecsr = v[[1]],
                                change = v[[3]], line$test)))
      }
    }
  }
  known <- c("react", "hr", "idea", "ace")
  groups <- unique(found[c("base", "preset")])
  groups <- groups[order(groups$base, groups$preset, method = "radix"), ]
  for (i in seq_len(nrow(groups))) {
    own <- found[found$base == groups$base[i] & found$preset == groups$preset[i], ]
    for (method in known[known %in% own$method]) {
      add(groups$base[i], groups$preset[i], own[own$method == "plain", ], method,
          own[own$method == method, ], same_variant)
    }
  }
  for (preset in sort(unique(groups$preset), method = "radix")) {
    own <- found[found$preset == preset, ]
    own <- own[own$base %in% own$base[own$method == "plain"], ]
    for (method in known) {
      both <- unique(own$base[own$method == method])
      if (length(both) < 2) next
      own_variant <- function(u) paste(u$base, same_variant(u))
      kept <- own[own$base %in% both, ]
      add("all models", preset, kept[kept$method == "plain", ], method,
          kept[kept$method == method, ], own_variant)
    }
  }
  bind(rows)
}

models_cost <- function() {
  runs <- played_runs()
  found <- model_units()
  rows <- list()
  for (i in seq_len(nrow(runs))) {
    own <- found[found$model == runs$label[i], ]
    for (h in conditions(own)) {
      u <- of(own, h)
      score <- function(name) {
        tasks <- by_task(u[!is.na(u[[name]]), ])
        if (length(tasks)) total(tasks, name) else NA_real_
      }
      rows <- c(rows, list(list(
        run = as.integer(runs$run[i]), model = runs$label[i], method = runs$method[i],
        preset = runs$preset[i], lexicon = h$lexicon, coverage = h$coverage,
        episodes = sum(u$episodes), ecsr = score("all.ecsr"), rv = score("rv"),
        direct = score("accuracy"), calls = num(runs$calls[i]),
        prompt_tokens = num(runs$prompt_tokens[i]),
        completion_tokens = num(runs$completion_tokens[i]), cost = as.numeric(runs$cost[i]))))
    }
  }
  bind(rows)
}

# SHA-256, which R does not have. A word is c(high, low): two halves of 16 bits, the high one first.
halves <- function(x) rbind(x %/% LIMB, x %% LIMB)
turned <- function(x, n) {
  if (n >= 16) return(turned(x[2:1], n - 16))
  x %/% 2^n + (x[2:1] %% 2^n) * 2^(16 - n)
}
pushed <- function(x, n) c(x[1] %/% 2^n, x[2] %/% 2^n + (x[1] %% 2^n) * 2^(16 - n))
limbs <- function(x) c((x[1] + x[2] %/% LIMB) %% LIMB, x[2] %% LIMB)
all_xor <- function(a, b, c) bitwXor(bitwXor(a, b), c)
PRIMES <- Filter(function(n) n < 4 || all(n %% 2:floor(sqrt(n)) != 0), 2:311)
ROUND <- halves(floor((PRIMES^(1 / 3) %% 1) * WORD))
START <- halves(floor((sqrt(PRIMES[1:8]) %% 1) * WORD))
sha256 <- function(text) {
  bytes <- as.integer(charToRaw(text))
  size <- length(bytes)
  bits <- rev((size * 8) %/% 256^(0:7) %% 256)
  bytes <- c(bytes, 128, rep(0, (55 - size) %% 64), bits)
  message <- matrix(bytes[c(TRUE, FALSE)] * 256 + bytes[c(FALSE, TRUE)], nrow = 2)
  sums <- START
  for (block in seq_len(ncol(message) / 16)) {
    w <- cbind(message[, 16 * (block - 1) + 1:16], matrix(0, 2, 48))
    for (i in 17:64) {
      x <- w[, i - 15]
      y <- w[, i - 2]
      w[, i] <- limbs(w[, i - 16] + w[, i - 7] +
        all_xor(turned(x, 7), turned(x, 18), pushed(x, 3)) +
        all_xor(turned(y, 17), turned(y, 19), pushed(y, 10)))
    }
    v <- sums
    for (i in 1:64) {
      a <- v[, 1]
      e <- v[, 5]
      chosen <- bitwXor(v[, 7], bitwAnd(e, bitwXor(v[, 6], v[, 7])))
      most <- bitwOr(bitwAnd(a, bitwOr(v[, 2], v[, 3])), bitwAnd(v[, 2], v[, 3]))
      one <- v[, 8] + all_xor(turned(e, 6), turned(e, 11), turned(e, 25)) + chosen + ROUND[, i] + w[, i]
      two <- all_xor(turned(a, 2), turned(a, 13), turned(a, 22)) + most
      v <- cbind(limbs(one + two), v[, 1:3], limbs(v[, 4] + one), v[, 5:7])
    }
    sums <- apply(sums + v, 2, limbs)
  }
  paste(sprintf("%04x", as.integer(sums)), collapse = "")
}

parity <- function() {
  people <- episodes[episodes$kind == "main" & !yes(episodes$is_test), ]
  key <- function(hash, place, format) paste(ifelse(is.na(hash), "", hash), place, format)
  word <- function(x) if (is.null(x)) rep("", 0) else ifelse(is.na(x), "", x)
  theirs <- key(people$variant_hash, people$variant_episode, people$format)
  shown <- split(word(people$words_hash), theirs)
  results <- table_of("model_result")
  played <- table_of("model_episode")
  runs <- table_of("model_run")
  versions <- sort(unique(as.integer(people$design_version)))
  languages <- sort(unique(word(people$language)), method = "radix")
  digests <- list()
  digest <- function(hashes) {
    if (!length(hashes) || "" %in% unlist(hashes)) return("")
    text <- paste(vapply(hashes, function(x) {
      paste(sort(unique(x), method = "radix"), collapse = " ")
    }, ""), collapse = "\n")
    if (is.null(digests[[text]])) digests[[text]] <<- sha256(text)
    digests[[text]]
  }
  rows <- list()
  for (label in sort(unique(c(results$model, played$label)), method = "radix")) {
    r <- results[results$model == label, ]
    p <- played[played$label == label, ]
    run <- runs[runs$label == label, ]
    own <- unique(c(key(r$variant_hash, as.integer(r$episode_index) - 1, r$format),
                    key(p$variant_hash, p$variant_episode, p$format)))
    mine <- word(p$words_hash)[match(own, key(p$variant_hash, p$variant_episode, p$format))]
    mine[is.na(mine)] <- ""
    met <- own %in% names(shown)
    parts <- strsplit(own, " ", fixed = TRUE)
    part <- function(i) vapply(parts, function(x) x[i], "")
    placed <- order(part(1), as.integer(part(2)), part(3), method = "radix")
    shared <- placed[met[placed]]
    state <- mapply(function(k, w) {
      if (w == "" || "" %in% shown[[k]]) "unknown" else if (all(shown[[k]] == w)) "same" else "other"
    }, own[met], mine[met])
    n <- function(x) sum(unlist(state) == x)
    verdict <- if (!any(met)) "no shared episode" else if (n("other")) "other words" else
      if (n("unknown")) "not proved" else "same words"
    one <- function(x) if (nrow(run)) as.integer(x[1]) else NA_integer_
    rows <- c(rows, list(list(
      model = label, source = if (nrow(r)) r$source[nrow(r)] else "", run = one(run$run),
      design_people = paste(versions, collapse = ", "),
      languages = paste(languages[languages != ""], collapse = ", "),
      design_model = one(run$design_version),
      episodes = length(own), shared = sum(met), same = n("same"), other = n("other"),
      unknown = n("unknown"), verdict = verdict, metric_code = setting("metric_code"),
      words_people = digest(shown[own[shared]]), words_model = digest(as.list(mine[shared])))))
  }
  bind(rows)
}

MAKERS <- list(
  baseline_first = function() baseline("first"), baseline_all = function() baseline("all"),
  floors_first = function() floors("first"), floors_all = function() floors("all"),
  rv = rv_table, relation = relation, relation_points = points, time = time_table,
  learning = learning, dropouts = dropouts, format_gap = format_gap, lexicon = lexicon,
  coverage = coverage, against_paper = against_paper, models = models,
  models_format_gap = models_format_gap, models_relation = models_relation,
  models_points = models_points, models_coverage = models_coverage, methods = methods,
  models_cost = models_cost, parity = parity, signs = signs_table,
  paper = paper
)

# ---- comparing ------------------------------------------------------------------------------

stored <- sub("\\.csv$", "", basename(Sys.glob(file.path(REPORT, "tables", "*.csv"))))
wrong <- c(sprintf("%s: not in the report", setdiff(names(MAKERS), stored)),
           sprintf("%s: this program does not know it", setdiff(stored, names(MAKERS))))
for (name in intersect(names(MAKERS), stored)) {
  given <- csv(file.path(REPORT, "tables", paste0(name, ".csv")))
  made <- MAKERS[[name]]()
  rows <- if (is.null(made)) 0 else nrow(made)
  largest <- 0
  values <- 0
  if (rows != nrow(given)) {
    wrong <- c(wrong, sprintf("%s: %d rows recomputed, %d in the report", name, rows, nrow(given)))
  }
  for (column in if (rows == nrow(given)) names(given) else character()) {
    if (rows && !(column %in% names(made))) {
      wrong <- c(wrong, sprintf("%s: no column %s recomputed", name, column))
      next
    }
    for (i in seq_len(rows)) {
      mine <- made[[column]][i]
      told <- given[[column]][i]
      values <- values + 1
      same <- if (is.numeric(mine) && !is.na(mine) && !is.na(told)) {
        gap <- abs(mine - as.numeric(told))
        largest <- max(largest, gap)
        gap <= TOLERANCE
      } else {
        identical(if (is.na(mine)) "" else as.character(mine), if (is.na(told)) "" else told)
      }
      if (!same) wrong <- c(wrong, sprintf("%s, row %d, %s: recomputed %s, in the report %s", name,
                                           i, column, mine, told))
    }
  }
  cat(sprintf("%s: %d rows, %d values, largest difference %.1e\n", name, rows, values, largest))
}
if (length(wrong)) {
  cat(head(wrong, 50), sep = "\n")
  cat(length(wrong), "differences\n")
} else {
  cat("Everything recomputed is equal.\n")
}
quit(status = as.integer(length(wrong) > 0))
