;;; parley-form.el --- Forms in the minibuffer  -*- lexical-binding: t; -*-

;;; Commentary:

;; The fields of a form are asked for one by one; what is wrong with a value
;; shows while it is typed.  What a field has already, or begins with, is the
;; default: RET takes it, M-n brings it to be changed.  Then all of it is
;; reviewed before it is sent.  C-g at a field goes to the review, where every
;; way out is.
;;
;; A value is a plist (:text STRING) or (:chosen VECTOR), nil for none.

;;; Code:

(require 'parley-questions)

(defun parley--encode (value)
  "VALUE as the helper wants it."
  (or value (make-hash-table)))

(defun parley--problem (form index value)
  "What is wrong with VALUE for the field INDEX of FORM, or nil."
  (plist-get (parley--ask-helper 'validate `(:form ,form :field ,index :value ,(parley--encode value)))
             :problem))

(defun parley--watch (form index)
  "Show behind what is typed what is wrong with it for the field INDEX of FORM."
  (let ((overlay (make-overlay (point-max) (point-max) nil t t))
        (last nil))
    (add-hook 'post-command-hook
              (lambda ()
                (let ((typed (minibuffer-contents-no-properties))
                      (buffer (current-buffer)))
                  (unless (equal typed last)
                    (setq last typed)
                    (jsonrpc-async-request
                     (parley--connect) 'validate
                     `(:form ,form :field ,index :value ,(parley--encode (and (not (string-empty-p typed)) `(:text ,typed))))
                     :error-fn #'ignore
                     :success-fn
                     (lambda (result)
                       (when (and (buffer-live-p buffer) (equal typed last))
                         (with-current-buffer buffer
                           (let ((problem (plist-get result :problem)))
                             (move-overlay overlay (point-max) (point-max))
                             (overlay-put overlay 'after-string
                                          (and problem (not (string-empty-p typed))
                                               (propertize (concat " [" problem "]") 'face 'parley-problem 'cursor 0)))))))))))
              nil t)))

(defvar parley-history nil "What was typed into fields.")

(defconst parley--default-width 40 "How many columns of a default its prompt shows.")

(defun parley--prompt (problem field default &optional aside)
  "The prompt of FIELD after PROBLEM, where RET takes DEFAULT; both may be nil.
ASIDE is said beside the default."
  (concat (when problem (concat (propertize problem 'face 'parley-problem) ". "))
          (plist-get field :label)
          (when default
            (format " (default %s%s)"
                    (truncate-string-to-width default parley--default-width nil nil "…")
                    (if aside (concat ", " aside) "")))
          ": "))

(defun parley--leave-out ()
  "Leave the field out, in place of its default."
  (interactive)
  (throw 'parley--nothing nil))

(defvar parley--text-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-k") #'parley--leave-out)
    map)
  "Keys of a field whose text has a default.")

(defun parley--read-line (form index prompt typed default)
  "Read a line with PROMPT for the field INDEX of FORM, TYPED to begin with.
RET alone takes DEFAULT.  Return nil if the field is left out."
  (catch 'parley--nothing
    (let ((line (minibuffer-with-setup-hook
                    (lambda ()
                      (parley--watch form index)
                      (when default
                        (use-local-map (make-composed-keymap parley--text-map (current-local-map)))))
                  (read-string prompt typed 'parley-history default))))
      (unless (string-empty-p line) line))))

(defun parley--read-text (form index field value)
  "Read a text for FIELD, the one INDEX of FORM; VALUE is the default."
  (let* ((default (plist-get value :text))
         (shown (when default (parley--words field value)))
         (aside (cond ((parley--true (plist-get field :empties)) "C-c C-k empties it")
                      ((not (parley--true (plist-get field :required))) "C-c C-k leaves it out")))
         typed problem)
    (while
        (progn
          (setq typed (parley--read-line form index (parley--prompt problem field shown aside) typed default))
          (setq value (when typed (list :text typed))
                problem (parley--problem form index value))))
    value))

(defconst parley--left-out "(leave it out)" "The option to choose none.")

(defun parley--read-choice (field value)
  "Read one of the options of FIELD; VALUE is the default."
  (let* ((choices (cl-loop for option across (plist-get field :options)
                           for i from 0
                           collect (cons option (list :chosen (vector i)))))
         (default (car (rassoc value choices))))
    (parley--choose (parley--prompt nil field default)
                    (if (parley--true (plist-get field :required))
                        choices
                      (append choices (list (list parley--left-out))))
                    default)))

(defun parley--read-choices (form index field value)
  "Read several options of FIELD, the one INDEX of FORM, beginning with VALUE.
RET alone takes what is marked."
  (let* ((options (append (plist-get field :options) nil))
         (chosen (append (plist-get value :chosen) nil))
         problem done)
    (while (not done)
      (let* ((marked (parley--words field (when chosen (list :chosen (vconcat (sort (copy-sequence chosen) #'<))))))
             (picked
              (parley--choose
               (parley--prompt problem field (if chosen marked "none") "mark or unmark")
               (append
                (cl-loop for option in options
                         for i from 0
                         collect (cons (concat (if (memq i chosen) "[x] " "[ ] ") option) i))
                '(("Done" . done)))
               "Done")))
        (if (eq picked 'done)
            (setq value (when chosen (list :chosen (vconcat (sort (copy-sequence chosen) #'<))))
                  problem (parley--problem form index value)
                  done (null problem))
          (setq chosen (if (memq picked chosen) (delq picked chosen) (cons picked chosen))))))
    value))

(defun parley--read-field (form index field value)
  "Read a value for FIELD, the one INDEX of FORM, beginning with VALUE."
  (pcase (plist-get field :kind)
    ("choices" (parley--read-choices form index field value))
    ((or "boolean" "choice") (parley--read-choice field value))
    (_ (parley--read-text form index field value))))

(defun parley--words (field value)
  "VALUE of FIELD in words, on one line."
  (cond ((plist-get value :text) (replace-regexp-in-string "\n" "⏎" (plist-get value :text)))
        ((> (length (plist-get value :chosen)) 0)
         (mapconcat (lambda (i) (aref (plist-get field :options) i)) (plist-get value :chosen) ", "))
        ((parley--true (plist-get field :empties)) "(empty)")
        (t "(left out)")))

(defun parley--insert-fields (fields values problems)
  "Insert FIELDS with VALUES and PROBLEMS."
  (cl-loop for field across fields
           for value across values
           for problem across problems
           do (insert (plist-get field :label) (if (parley--true (plist-get field :required)) " *: " ": ")
                      (parley--words field value) "\n")
           (parley--insert-quote (plist-get field :description) "  ")
           (when-let ((hint (plist-get field :hint)))
             (insert (propertize (concat "  " hint) 'face 'parley-hint) "\n"))
           (when problem
             (insert (propertize (concat "  ! " problem) 'face 'parley-problem) "\n"))))

(defun parley--fill (form fields values show)
  "Have the FIELDS of FORM filled in, beginning with VALUES, which it changes.
SHOW shows them.  C-g ends it."
  (condition-case nil
      (dotimes (i (length fields))
        (funcall show)
        (aset values i (parley--read-field form i (aref fields i) (aref values i))))
    (quit nil)))

(defun parley--review (fields)
  "What can be changed of FIELDS, for the review."
  (cl-loop for field across fields
           for i from 0
           collect (cons (concat "Change " (plist-get field :label)) i)))

(defun parley--defaults (fields)
  "The values that FIELDS begin with."
  (vconcat (mapcar (lambda (field) (plist-get field :value)) fields)))

(defun parley--put-form (question)
  "Put QUESTION, an ask/elicit, to the person."
  (let* ((form (parley--get question :form))
         (fields (or (parley--get question :fields) []))
         (known (parley-question-values question))
         (earlier (parley--true (parley--get question :earlier)))
         (values (or known (parley--defaults fields)))
         (show (lambda ()
                 (parley--show question ""
                               (lambda ()
                                 (when earlier
                                   (insert (propertize "filled in as you answered before" 'face 'parley-hint) "\n"))
                                 (parley--insert-fields fields values (parley-question-problems question)))))))
    (setf (parley-question-values question) values
          (parley-question-problems question) (make-vector (length fields) nil))
    (unless (or known earlier) ; which goes to the review
      (parley--fill form fields values show))
    (while (not (parley-question-over question))
      (funcall show)
      (let ((chosen (parley--choose
                     (if (length= fields 0)
                         (format "Say yes to %s? " (parley--get question :server))
                       (format "Send this to %s? " (parley--get question :server)))
                     (append (if (length= fields 0) '(("Yes" . "accept")) '(("Send" . "accept")))
                             (parley--ways question t)
                             (parley--review fields)))))
        (cond
         ((integerp chosen)
          (condition-case nil
              (aset values chosen (parley--read-field form chosen (aref fields chosen) (aref values chosen)))
            (quit nil)))
         ((equal chosen "accept")
          (let ((refused (parley--answer question "accept" :values (vconcat (mapcar #'parley--encode values))))
                (problems (make-vector (length fields) nil)))
            (unless (eq refused t)
              (mapc (lambda (p) (aset problems (plist-get p :field) (plist-get p :problem)))
                    (plist-get refused :problems)))
            (setf (parley-question-problems question) problems)))
         (t (parley--answer question chosen)))))))

(provide 'parley-form)
;;; parley-form.el ends here
